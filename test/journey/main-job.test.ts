import { expect, test } from 'vitest'
import { mainJob } from './main-job.ts'
import { describeWalk, pixPsp, walkOn } from './walk.ts'

describeWalk('the main job, against the started server', (scene) => {
  walkOn(scene, mainJob)

  test('SIGTERM stops it within ten seconds, cleanly, and it starts again with its data', async () => {
    const begun = performance.now()
    expect(await scene.server.stop('SIGTERM')).toBe(0)
    expect(performance.now() - begun).toBeLessThan(10_000)
    scene.server = await scene.stage.start()
    const { api, seller, paymentId } = scene.stage.walk
    expect(await api.get(`payments/${paymentId}`, { token: seller.token })).toMatchObject({ body: { status: 'paid' } })
  })
})

describeWalk('the main job, with real Pix at a simulated PSP', (scene) => walkOn(scene, mainJob), pixPsp)
