import type { DocumentStorageConfig } from '../config/document-storage.ts'
import { createLocalStorage } from './local-storage.ts'
import { createS3Storage } from './s3-storage.ts'
import type { DocumentStorage } from './storage.port.ts'

/** The storage that the configuration names. Connects to nothing yet. */
export const createDocumentStorage = (config: DocumentStorageConfig): DocumentStorage =>
  config.kind === 'local' ? createLocalStorage(config.folder) : createS3Storage(config)
