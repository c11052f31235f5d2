/**
 * Worlds of earlier releases as committed files: exports whose chunks are unpacked, so that the
 * whole file compresses better. A release adds one by
 * `node dist/test/fault/old-folder.js --make 0.1.0`; files never change afterwards.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { Packr } from 'msgpackr'
import { type ConnectionOptions, connect, disconnect } from '../../storage/db.ts'
import { decodeJournalRow, type EncodedRow, encodeJournalRow } from '../../storage/journal-row.ts'
import { sha256 } from '../../storage/snapshot-format.ts'
import type { StoredChunk } from '../../storage/snapshots.ts'
import { exportWorld, importWorld } from '../../storage/transfer.ts'
import { createExport, type Frame, readExport } from '../../storage/transfer-file.ts'

const FOLDER = new URL('../../../test/fault/old-worlds', import.meta.url).pathname
const ENDING = '.world'
const WINDOW_BITS = 24

const packr = new Packr({ useRecords: false, variableMapSize: true })

interface HeaderFrame {
  readonly headBatch: number
  readonly headChecksum: Uint8Array
}

interface SnapshotFrame {
  readonly row: { readonly batch: number; readonly rulesVersion: number }
  readonly chain: Uint8Array
}

/** Returns the releases of which a world is kept. */
export const oldReleases = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => basename(name, ENDING))
    .sort()

async function withFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-old-'))
  try {
    return await work(join(folder, 'world.export'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Keeps the world of a schema under a release's name; returns the file's length. */
export async function keepWorld(connection: ConnectionOptions, release: string): Promise<number> {
  const frames: Pick<Frame, 'kind' | 'value'>[] = []
  await withFile(async (path) => {
    const sql = connect(connection, { name: 'keeper' })
    await exportWorld(sql, path).finally(() => disconnect(sql))
    for await (const { kind, value } of readExport(path)) {
      const chunk = value as StoredChunk
      const isChunk = kind === 'chunk'
      frames.push({ kind, value: isChunk ? brotliDecompressSync(chunk.bytes) : value })
    }
  })
  const bytes = brotliCompressSync(packr.pack(frames), {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    },
  })
  writeFileSync(join(FOLDER, `${release}${ENDING}`), bytes)
  return bytes.length
}

function snapshotOf(frames: readonly Frame[]): SnapshotFrame {
  const found = frames.find(({ kind }) => kind === 'snapshot')
  if (!found) throw new Error('the kept world has no snapshot')
  return found.value as SnapshotFrame
}

/** The frames of an old world's export. */
export interface OldWorld {
  readonly frames: readonly Frame[]
  /** Version of the rules under which its journal was written. */
  readonly rulesVersion: number
}

export function readWorld(release: string): OldWorld {
  const bytes = brotliDecompressSync(readFileSync(join(FOLDER, `${release}${ENDING}`)))
  const frames = packr.unpack(bytes) as Frame[]
  return { frames, rulesVersion: snapshotOf(frames).row.rulesVersion }
}

/** Returns the world as a clean stop at its snapshot would have left it. */
export function stoppedCleanly(world: OldWorld): OldWorld {
  const { row, chain } = snapshotOf(world.frames)
  const frames = world.frames
    .filter(({ kind }) => kind !== 'journal')
    .map((frame) => {
      if (frame.kind !== 'header') return frame
      return { ...frame, value: { ...header(frame), headBatch: row.batch, headChecksum: chain } }
    })
  return { ...world, frames }
}

const header = (frame: Frame): HeaderFrame => frame.value as HeaderFrame

/** Returns the world as if its journal had been written under other rules. */
export function underRules(world: OldWorld, rulesVersion: number): OldWorld {
  const { chain } = snapshotOf(world.frames)
  let [before, after] = [chain, chain]
  const rewrite = (row: EncodedRow): EncodedRow => {
    const encoded = encodeJournalRow({ ...decodeJournalRow(row, before), rulesVersion }, after)
    before = row.checksum
    after = encoded.checksum
    return encoded
  }
  const frames = world.frames.map((frame) =>
    frame.kind === 'journal'
      ? { ...frame, value: (frame.value as EncodedRow[]).map(rewrite) }
      : frame,
  )
  const ended = frames.map((frame) =>
    frame.kind === 'header'
      ? { ...frame, value: { ...header(frame), headChecksum: after } }
      : frame,
  )
  return { frames: ended, rulesVersion }
}

/** Imports an old world into a migrated, empty schema. */
export async function importOld(connection: ConnectionOptions, world: OldWorld): Promise<void> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  await withFile(async (path) => {
    const file = await createExport(path)
    for (const { kind, value } of world.frames) {
      if (kind !== 'chunk') await file.add(kind, value)
      else {
        const raw = value as Uint8Array
        const bytes = brotliCompressSync(raw, quality)
        await file.add(kind, { sha256: sha256(raw), raw_bytes: raw.length, bytes })
      }
    }
    await file.finish()
    await importWorld(connection, path)
  })
}
