import type { Readable } from 'node:stream'

/** A file on this machine that is to be stored. */
export type StoredFile = { path: string; contentType: string; sizeBytes: number }

/** Where files lie under keys of ours (`folder/uuid`). Nothing in a key comes from a client. */
export type DocumentStorage = {
  /** Durable once it answers. */
  put(key: string, file: StoredFile): Promise<void>
  /** Throws when there is no such file, before a byte was read. */
  open(key: string): Promise<Readable>
  /** Quiet when there is no such file. */
  remove(key: string): Promise<void>
}
