/** The rows of the table of public addresses (table.ts). */
import type { Outcome } from '../../core/errors.ts'
import type { TSchema } from '../../core/params.ts'
import type { ArchivePort } from '../ports.ts'
import type { PublicSection, PublicState } from './state.ts'

/** A parameter of the query. A missing or invalid value counts as `fallback`. */
export type QueryParam = { readonly name: string; readonly about: string } & (
  | { readonly kind: 'int'; readonly min: number; readonly max: number; readonly fallback: number }
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly fallback: string }
  | { readonly kind: 'text'; readonly max: number }
)

/** Values of the query by name, within their bounds. */
export type QueryValues = Readonly<Record<string, string | number>>

/**
 * How long a body may be cached: T until the next public tick, M a minute, H an hour, I forever
 * (the past does not change).
 */
export type CacheClass = 'T' | 'M' | 'H' | 'I'

export interface PublicContext {
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryValues
  readonly archive: ArchivePort
  readonly about: PublicInfo
}

/** What bodies need to know of the server. */
export interface PublicInfo {
  readonly version: string
  readonly epoch: string
  readonly delay: number
  readonly tickMs: number
  /** False: bodies do not show who is where. */
  readonly showsNames: boolean
  /** Wall time, ms since 1970. */
  wallMs(): number
  /** Numbers of threads and replies in the forum; at most a minute old. */
  forum(): Promise<{ readonly threads: number; readonly replies: number }>
}

interface PathParam {
  readonly name: string
  readonly about: string
  readonly example: string
}

/** Lists the parameters in the path of a row. */
export const pathParams = ({ param = [] }: Pick<PublicRow, 'param'>): readonly PathParam[] =>
  'name' in param ? [param] : param

type Made = Outcome<unknown> | Promise<Outcome<unknown>>

export type PublicRow = {
  /** Path for the router: `:name` is a parameter. */
  readonly path: string
  readonly operationId: string
  readonly about: string
  /** The parameters in the path. */
  readonly param?: PathParam | readonly PathParam[]
  readonly query?: readonly QueryParam[]
  readonly cache: CacheClass | ((result: unknown, params: PublicContext['params']) => CacheClass)
  /**
   * Rate limit. `page`: the body is cached or rendered from memory; `public`: it reads the archive.
   */
  readonly bucket: 'page' | 'public'
  readonly schema: TSchema
  /** Error codes besides those of every address. */
  readonly errors?: readonly string[]
} & (
  | {
      /** The world at the public tick. */
      readonly source: 'frame'
      /** Sections of the state from which the body is rendered. */
      readonly reads: readonly PublicSection[]
      /** Returns the body as JSON text, for a row that caches it; used in place of `body`. */
      text?(state: PublicState): string
      body(state: PublicState, context: PublicContext): Made
    }
  /** The archive up to the public tick. */
  | { readonly source: 'archive'; body(state: PublicState, context: PublicContext): Made }
  /** Data that does not depend on ticks: the catalogue, the forum, the changelog. */
  | { readonly source: 'timeless'; body(context: PublicContext): Made }
)
