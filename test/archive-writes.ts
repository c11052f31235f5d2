/** Lets tests state archive writes as literals, whose methods the compiler infers as strings. */
import type { ArchiveWrite } from '../core/archive-calls.ts'

export interface WrittenDown {
  readonly method: string
  readonly args: object
  readonly ref?: number
  readonly secret?: Readonly<Record<string, string>>
}

export const archiveWrites = (writes: readonly WrittenDown[]): readonly ArchiveWrite[] =>
  writes as readonly ArchiveWrite[]
