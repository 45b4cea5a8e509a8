/** A file of a form, lying in a folder of ours until the request has been answered. */
export type UploadedFile = { field: string; fileName: string; path: string; sizeBytes: number; sha256: string }

/** A form as it was sent: its texts and its files, each in order. */
export type Upload = { texts: readonly { field: string; value: string }[]; files: readonly UploadedFile[] }

/** Reads the form of a request and hands it to `work`. What `work` has not copied is gone afterwards. */
export type ReceiveUpload = <Result>(work: (upload: Upload) => Promise<Result>) => Promise<Result>
