/**
 * The five kinds of command. One definition is the only source of a command: validation, OpenAPI,
 * help, MCP and documentation are functions of it.
 *
 * - mutation: takes the player's slot of a tick
 * - immediate: writes without a slot, between two ticks
 * - query: only reads; answered at once
 * - archive: text kept in SQL; `scope` runs here, the rest in storage
 * - session: login and related commands; runs on the main thread
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { ArchiveArgs, ArchiveMethod } from './archive-calls.ts'
import type { ErrorCode, Failure, Outcome } from './errors.ts'
import type { Eid, Emission, Section, World, WorldView } from './types.ts'

export const TOOLS = [
  'game',
  'game_auth',
  'game_ship',
  'game_storage',
  'game_market',
  'game_faction',
  'game_faction_commerce',
  'game_faction_admin',
  'game_social',
  'game_catalog',
  'game_transfer',
  'game_intel',
  'game_facility',
  'game_battle',
  'game_arena',
  'game_salvage',
  'game_fleet',
  'game_drone',
  'game_citizenship',
  'game_shipping',
] as const
export type Tool = (typeof TOOLS)[number]

/** A condition of a command, judged when the command runs. */
export interface Need<E extends ErrorCode = ErrorCode> {
  readonly name: string
  readonly errors: readonly E[]
  /** For queries and immediates: refuses, never moves the ship. */
  check(view: WorldView, player: Eid): Failure<NoInfer<E>> | undefined
  /**
   * For mutations: returns the move of the ship that would meet the need (auto-dock, auto-undock),
   * or a refusal if none would. The move is made once the arguments have been judged.
   */
  ensure(
    world: World,
    player: Eid,
    params: unknown,
  ): Failure<NoInfer<E>> | Move<NoInfer<E>> | undefined
}
/** Declares a need; the type keeps its refusals to its `errors`. */
export const defineNeed = <const E extends ErrorCode>(need: Need<E>): Need<E> => need
/** The move that was made to meet a need; a flag of the answer. */
export type Ensured = 'auto_docked' | 'auto_undocked'
/** Moves the ship to meet a need, or refuses. */
export type Move<E extends ErrorCode = ErrorCode> = (
  world: World,
  player: Eid,
) => Failure<E> | Ensured | undefined

/** Returns the first refusal of several needs, as queries and immediates check them. */
export function needsRefusal<E extends ErrorCode>(
  needs: readonly Need<E>[],
  view: WorldView,
  player: Eid,
): Failure<E> | undefined {
  for (const need of needs) {
    const refused = need.check(view, player)
    if (refused) return refused
  }
  return undefined
}

/** Returns the first refusal of several needs, as mutations check them, else the first move. */
export function ensureAll<E extends ErrorCode>(
  needs: readonly Need<E>[],
  world: World,
  player: Eid,
  params: unknown,
): Failure<E> | Move<E> | undefined {
  let move: Move<E> | undefined
  for (const need of needs) {
    const met = need.ensure(world, player, params)
    if (typeof met === 'object') return met
    move ??= met
  }
  return move
}

/** The address on v2, and the names of the parameters there. v2 accepts the v1 names too. */
interface V2Address {
  readonly tool: Tool
  /** Empty for a tool that takes no action. */
  readonly action: string
  /** v1 name → v2 name. */
  readonly rename?: Readonly<Record<string, string>>
  /** Parameters that v2 does not document. */
  readonly omit?: readonly string[]
}

interface CommandBase {
  /** v1 name. Commands that exist on v2 alone have their v2 action here, and `v1: false`. */
  readonly name: string
  readonly v1?: false
  /** Its name on v1 if another definition covers it there: `withdraw_items`, `fleet leave`. */
  readonly v1Name?: string
  /** Its name on v2 if it has no address of its own there: `game_storage/view`. */
  readonly v2Name?: string
  readonly v2?: V2Address
  /** One sentence: OpenAPI, help, MCP. */
  readonly summary: string
  /** Category of help and documentation. */
  readonly category: string
  readonly params: TObject
  /** What v1 answers, and v2 too unless it is a mutation (sections and `details`). */
  readonly result: TSchema
  readonly errors: readonly ErrorCode[]
  /** May be called before login. */
  readonly open?: true
  /** A query that is not answered in the middle of a tick: it works in memory the tick uses. */
  readonly betweenTicks?: true
}

export const LATER: unique symbol = Symbol('later')
/** The answer comes in a later phase or tick, by `answerLater`. */
type Later = typeof LATER

/** The order of mutations within phase act. Source: travel.md section 0, phase E. */
export const ACT_ORDER = ['dock', 'plain', 'order', 'request', 'departure'] as const
/** An attack runs in phase engage, before all of act. Source: travel.md section 0, phase C. */
type ActOrder = 'attack' | (typeof ACT_ORDER)[number]

export interface MutationDef extends CommandBase {
  readonly kind: 'mutation'
  readonly order: ActOrder
  readonly needs: readonly Need[]
  readonly changes: readonly Section[]
  /** May be sent during a battle; others get in_combat. Source: combat.md section 17. */
  readonly inBattle?: true
  /** May be sent by a pilot adrift between systems. Source: travel.md section 2. */
  readonly adrift?: true
  /** May be sent without a fit crew; others get incapacitated. Source: ships.md section 4. */
  readonly unmanned?: true
  /** Is not dropped when a battle breaks out. Source: spec, combat_interrupt. */
  readonly uninterrupted?: true
  /**
   * Refuses what the arguments alone make impossible: called before the ship docks or undocks for
   * the command. `run` checks again what may have changed.
   */
  judge?(view: WorldView, player: Eid, params: unknown): Failure | undefined
  run(world: World, player: Eid, params: unknown): Outcome<unknown> | Later
  /** Returns further fields of the acknowledgement (travel: destination, arrival_tick). */
  preview?(view: WorldView, player: Eid, params: unknown): Record<string, unknown>
  /**
   * Returns whether a call only reads (dry_run, target=fleet): it is answered at once, and needs no
   * slot.
   */
  readsOnly?(params: unknown): boolean
  /**
   * Returns whether a call writes without a slot: for a command whose actions are of several kinds,
   * which the documents therefore do not mark as a mutation.
   */
  isImmediate?(params: unknown): boolean
}

interface ImmediateDef extends CommandBase {
  readonly kind: 'immediate'
  readonly needs: readonly Need[]
  /** Returns whether a call only reads, as `MutationDef.readsOnly` does. */
  readsOnly?(params: unknown): boolean
  run(world: World, player: Eid, params: unknown): Outcome<unknown>
}

/** What a query changes by being read: an immediate of the next batch. Source: DESIGN 1. */
export interface Touch {
  readonly command: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface QueryDef extends CommandBase {
  readonly kind: 'query'
  readonly needs: readonly Need[]
  run(view: WorldView, player: Eid, params: unknown): Outcome<unknown>
  /** Returns what an answer changes by being read. */
  touch?(view: WorldView, player: Eid, params: unknown): Touch | undefined
}

/** Arguments of the method, as `scope` returns them. */
export type ArchiveScope = ArchiveArgs[ArchiveMethod]

export interface ArchiveDef extends CommandBase {
  readonly kind: 'archive'
  readonly as: 'mutation' | 'immediate' | 'query'
  readonly needs: readonly Need[]
  readonly changes?: readonly Section[]
  readonly method: ArchiveMethod
  /** Checks permission, audience and cooldown; returns the arguments of the method. */
  scope(view: WorldView, player: Eid, params: unknown): Outcome<ArchiveScope>
  /** See `QueryDef.touch`; only for archive commands that are queries. */
  touch?(view: WorldView, player: Eid, params: unknown): Touch | undefined
  /**
   * Returns the events to send once the write is durable. It may change the world (counters), and
   * runs at replay too.
   */
  notify?(world: World, scope: ArchiveScope, result: unknown): Emission[]
  /** Returns the answer, if it is not the result of the method itself. */
  answer?(view: WorldView, scope: ArchiveScope, result: unknown): unknown
}

/** Runs on the main thread: net/session/auth.ts implements it by name. */
export interface SessionDef extends CommandBase {
  readonly kind: 'session'
}

export type CommandDef = MutationDef | ImmediateDef | QueryDef | ArchiveDef | SessionDef

/** What `run` may return: what `result` describes, and the codes of `errors` and of its needs. */
export type Answered<R extends TSchema, E extends ErrorCode> = Outcome<
  DeepReadonly<Static<R>>,
  NoInfer<E>
>

/** A type made read-only throughout: answers may hold rows of constant tables. */
type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

interface Typed<P extends TObject, R extends TSchema, E extends ErrorCode, N extends ErrorCode> {
  params: P
  result: R
  errors: readonly E[]
  needs: readonly Need<N>[]
}
/** Casts an outcome to one of `result` where the types cannot show it; callers comment why. */
export const answerAs = <R extends TSchema, E extends ErrorCode = never>(
  _result: R,
  outcome: Outcome<unknown, E>,
): Outcome<Static<R>, E> => outcome as Outcome<Static<R>, E>

type TypedKey = keyof Typed<TObject, TSchema, never, never> | 'kind' | 'run'

/** Defines a mutation; its types hold `run` to `params`, `result`, `errors` and needs. */
export function mutation<
  P extends TObject,
  R extends TSchema,
  const E extends ErrorCode,
  N extends ErrorCode = never,
>(
  def: Omit<MutationDef, TypedKey | 'judge' | 'preview' | 'readsOnly' | 'isImmediate'> &
    Typed<P, R, E, N> & {
      judge?(view: WorldView, player: Eid, params: Static<P>): Failure<NoInfer<E | N>> | undefined
      run(world: World, player: Eid, params: Static<P>): Answered<R, E | N> | Later
      preview?(view: WorldView, player: Eid, params: Static<P>): Record<string, unknown>
      readsOnly?(params: Static<P>): boolean
      isImmediate?(params: Static<P>): boolean
    },
): MutationDef {
  return { kind: 'mutation', ...def } as unknown as MutationDef
}

/** Defines an immediate, with the types of `mutation`. */
export function immediate<
  P extends TObject,
  R extends TSchema,
  const E extends ErrorCode,
  N extends ErrorCode = never,
>(
  def: Omit<ImmediateDef, TypedKey> &
    Typed<P, R, E, N> & {
      run(world: World, player: Eid, params: Static<P>): Answered<R, E | N>
    },
): ImmediateDef {
  return { kind: 'immediate', ...def } as unknown as ImmediateDef
}

/** Defines a query, with the types of `mutation`. */
export function query<
  P extends TObject,
  R extends TSchema,
  const E extends ErrorCode,
  N extends ErrorCode = never,
>(
  def: Omit<QueryDef, TypedKey | 'touch'> &
    Typed<P, R, E, N> & {
      run(view: WorldView, player: Eid, params: Static<P>): Answered<R, E | N>
      touch?(view: WorldView, player: Eid, params: Static<P>): Touch | undefined
    },
): QueryDef {
  return { kind: 'query', ...def } as unknown as QueryDef
}

/** Defines an archive command; `scope` must return the arguments of `method`. */
export function archive<
  P extends TObject,
  M extends ArchiveMethod,
  S extends ArchiveArgs[M],
  const E extends ErrorCode,
  N extends ErrorCode = never,
  R = unknown,
>(
  def: Omit<ArchiveDef, TypedKey | 'method' | 'scope' | 'touch' | 'notify' | 'answer'> &
    Omit<Typed<P, TSchema, E, N>, 'result'> & {
      result: TSchema
      method: M
      touch?(view: WorldView, player: Eid, params: Static<P>): Touch | undefined
      scope(view: WorldView, player: Eid, params: Static<P>): Outcome<S, NoInfer<E | N>>
      notify?(world: World, scope: S, result: R): Emission[]
      answer?(view: WorldView, scope: S, result: R): unknown
    },
): ArchiveDef {
  return { kind: 'archive', ...def } as unknown as ArchiveDef
}

/** Defines a session command. */
export function session(def: Omit<SessionDef, 'kind'>): SessionDef {
  return { kind: 'session', ...def }
}

/** Returns the key of a definition, unique over v1 and v2. */
export function commandKey(def: CommandBase): string {
  return def.v1 === false ? `v2:${def.v2?.tool}/${def.v2?.action}` : def.name
}

/** Returns whether the documents give a command one kind, whatever its action. */
export const isOfOneKind = (def: CommandDef): boolean =>
  def.kind !== 'mutation' || def.isImmediate === undefined

/** Returns whether a command takes the player's slot of a tick. */
export function isMutation(def: CommandDef): boolean {
  return def.kind === 'mutation' || (def.kind === 'archive' && def.as === 'mutation')
}
