/**
 * The export file: a line with its format, frames (kind, length, payload), and at the end the
 * SHA-256 of everything before. It is read twice: once to check it completely, once to use it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { Packr } from 'msgpackr'
import { startTimeOf } from './embedded-files.ts'
import { StorageDamageError } from './errors.ts'
import { sameBytes } from './journal-row.ts'
import { atPath } from './system-fault.ts'

const MAGIC = Buffer.from('orrery export 1\n')
const HEAD_BYTES = 5
const DIGEST_BYTES = 32
const FRAME_BYTES_MAX = 256 * 1024 * 1024
/** Limit of an unpacked frame: files may come from anybody. */
const FRAME_RAW_BYTES_MAX = 1024 * 1024 * 1024
/** Kinds of frames, by number in the file. */
const KINDS = ['end', 'header', 'snapshot', 'chunk', 'journal', 'rows'] as const
type FrameKind = (typeof KINDS)[number]

export interface Frame {
  readonly kind: FrameKind
  readonly value: unknown
  /** End of the frame in the file, and length of the file, for progress. */
  readonly endsAt: number
  readonly fileBytes: number
}

const packr = new Packr({ useRecords: false, variableMapSize: true })
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

export interface ExportWriter {
  add(kind: FrameKind, value: unknown): Promise<void>
  /** Completes the file, syncs it and renames it; resolves with its length. */
  finish(): Promise<number>
  abandon(): Promise<void>
}

/** Removes partial files that dead processes have left of an export to the same file. */
function removePartials(path: string): void {
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    const pid = /^(\d{1,10})\.partial$/.exec(name.slice(basename(path).length + 1))?.[1]
    if (pid !== undefined && startTimeOf(Number(pid)) === undefined) {
      rmSync(join(folder, name), { force: true })
    }
  }
}

/** Makes a rename durable, where the system can sync a folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/**
 * Creates an export. It is written to a temporary file of this process and renamed at the end, so
 * that the named file is complete or absent, even with concurrent exports. If the process exits
 * early, it removes the temporary file.
 */
export async function createExport(path: string): Promise<ExportWriter> {
  removePartials(path)
  const partial = `${path}.${process.pid}.partial`
  const file = await open(partial, 'w', 0o600)
  const removeNow = (): void => rmSync(partial, { force: true })
  process.once('exit', removeNow)
  const hash = createHash('sha256')
  let length = 0
  // appendFile retries short writes, which occur without an error when a disk fills up.
  const append = (bytes: Uint8Array): Promise<void> => atPath(partial, file.appendFile(bytes))
  const write = async (bytes: Uint8Array): Promise<void> => {
    hash.update(bytes)
    length += bytes.length
    await append(bytes)
  }
  const abandon = async (): Promise<void> => {
    await file.close()
    await rm(partial, { force: true })
    process.off('exit', removeNow)
  }
  const add = async (kind: FrameKind, value: unknown): Promise<void> => {
    const raw = packr.pack(value)
    const payload = brotliCompressSync(raw, QUALITY)
    // Better no export than one that its own reader refuses.
    if (payload.length > FRAME_BYTES_MAX || raw.length > FRAME_RAW_BYTES_MAX) {
      throw new Error(`a frame of the export (${kind}) has ${raw.length} bytes: too many to import`)
    }
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt8(KINDS.indexOf(kind), 0)
    head.writeUInt32LE(payload.length, 1)
    await write(Buffer.concat([head, payload]))
  }
  try {
    await write(MAGIC)
  } catch (error) {
    await abandon()
    throw error
  }
  return {
    add,
    async finish() {
      await add('end', null)
      const digest = hash.digest()
      await append(digest)
      await atPath(partial, file.sync())
      await file.close()
      await rename(partial, path)
      await syncFolder(dirname(path))
      process.off('exit', removeNow)
      return length + digest.length
    },
    abandon,
  }
}

const damageError = (path: string, problem: string): StorageDamageError =>
  new StorageDamageError('export', 0, `${path} is damaged: ${problem}`)

async function readAt(file: FileHandle, length: number, offset: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, offset)
  return buffer.subarray(0, bytesRead)
}

/** Checks a whole file against its digest; throws StorageDamageError. */
async function checkDigest(file: FileHandle, path: string): Promise<number> {
  const { size } = await file.stat()
  const end = size - DIGEST_BYTES
  const magic = await readAt(file, MAGIC.length, 0)
  if (!sameBytes(magic, MAGIC)) throw damageError(path, 'it is not an export of this format')
  const hash = createHash('sha256')
  const step = 4 * 1024 * 1024
  for (let offset = 0; offset < end; offset += step) {
    hash.update(await readAt(file, Math.min(step, end - offset), offset))
  }
  const digest = await readAt(file, DIGEST_BYTES, Math.max(end, 0))
  if (!sameBytes(hash.digest(), digest))
    throw damageError(path, 'its bytes are not the ones written')
  return end
}

function unpackFrame(path: string, payload: Uint8Array): unknown {
  try {
    return packr.unpack(brotliDecompressSync(payload, { maxOutputLength: FRAME_RAW_BYTES_MAX }))
  } catch {
    throw damageError(path, 'a frame cannot be unpacked')
  }
}

/**
 * Yields the frames of a file after checking all of it; throws StorageDamageError before the first.
 */
export async function* readExport(path: string): AsyncGenerator<Frame> {
  const file = await open(path, 'r')
  try {
    const end = await atPath(path, checkDigest(file, path))
    let offset = MAGIC.length
    while (offset < end) {
      const head = await atPath(path, readAt(file, HEAD_BYTES, offset))
      if (head.length < HEAD_BYTES) throw damageError(path, 'a frame is truncated')
      const kind = KINDS[head.readUInt8(0)]
      const length = head.readUInt32LE(1)
      const fits = length <= FRAME_BYTES_MAX && offset + HEAD_BYTES + length <= end
      if (kind === undefined || !fits) throw damageError(path, 'a frame is malformed')
      const payload = await atPath(path, readAt(file, length, offset + HEAD_BYTES))
      offset += HEAD_BYTES + length
      const value = unpackFrame(path, payload)
      if (kind === 'end') return
      yield { kind, value, endsAt: offset, fileBytes: end }
    }
    throw damageError(path, 'it has no end')
  } finally {
    await file.close()
  }
}
