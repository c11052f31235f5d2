/**
 * What a domain contributes, and the registry made of all domains: everything that net and the
 * engine know about the game.
 */
import type { TSchema } from 'typebox'
import { assert } from './assert.ts'
import type { TableDef } from './columns.ts'
import { type CommandDef, commandKey } from './command.ts'
import type { Failure } from './errors.ts'
import type { EventDef } from './event.ts'
import { orderContributions } from './occurrence.ts'
import type { PublicProjection } from './public/frame.ts'
import type { RecordsDef } from './records.ts'
import type { ReferenceDef, References } from './reference.ts'
import type { Relation } from './relation.ts'
import type { SystemDef } from './system.ts'
import type {
  Eid,
  GrantDef,
  Grants,
  GuardDef,
  Guards,
  ObserverDef,
  Observers,
  Row,
  Section,
  World,
  WorldView,
} from './types.ts'

/**
 * Checks an invariant; throws by `assert`. `full` requests the costly form (every tick in tests).
 */
export interface CheckDef {
  /** Invariant of RELIABILITY 4, and what is checked. */
  readonly name: string
  run(view: WorldView, full: boolean): void
  /** Runs the costly form in steps, if it takes long: queries are answered in between. */
  steps?(view: WorldView): Generator<void, void>
}

interface PlayersDef {
  readonly table: TableDef
  isBound(view: WorldView, player: Eid): boolean
  /** Returns whether a node holds a channel of the player. */
  isBoundAt(view: WorldView, player: Eid, node: number): boolean
  /** Returns the nodes that hold channels of players, except node 0. */
  boundNodes(view: WorldView): readonly number[]
  /** Called when a command of the player has run. `isMutation`: in the slot of the tick. */
  recordActed?(world: World, player: Eid, isMutation: boolean): void
}

/**
 * A figure of the world that operators see, read after each tick: it must be stored already, or
 * take no more than a handful of rows to compute.
 */
export interface GaugeDef {
  /** In snake case, ending with the unit if the figure has one. */
  readonly name: string
  readonly help: string
  read(view: WorldView): number
}

/** Returns a gauge of how many rows of a table are in use. */
export const countGauge = (name: string, table: TableDef, help: string): GaugeDef => ({
  name,
  help,
  read: (view) => view.countOf(table),
})
type RenderSection = (view: WorldView, player: Eid) => unknown
type HasMoved = (view: WorldView, player: Eid) => boolean
type ResolveAudience = (view: WorldView, row: Row) => readonly Eid[]

/** What a domain contributes to the registry. */
export interface DomainDef {
  readonly name: string
  readonly tables?: readonly TableDef[]
  readonly records?: readonly RecordsDef<unknown>[]
  /** Lists of its rows; each adds a check. */
  readonly relations?: readonly Relation[]
  readonly commands?: readonly CommandDef[]
  /** Kinds of things that parameters name, and how this domain finds them. */
  readonly references?: readonly ReferenceDef[]
  readonly events?: readonly EventDef[]
  readonly systems?: readonly SystemDef[]
  readonly checks?: readonly CheckDef[]
  readonly gauges?: readonly GaugeDef[]
  /** Its reactions to what happens in domains below it. */
  readonly observers?: readonly ObserverDef[]
  /** Its say in decisions of domains below it: what it refuses, and what it allows. */
  readonly guards?: readonly GuardDef[]
  readonly grants?: readonly GrantDef[]
  /** Fills a new world; domains run in registry order. */
  genesis?(world: World): void
  /** Rebuilds derived columns, tags and indexes from saved state. */
  rebuild?(world: World): void
  /** Upgrades rows of a world with other rules to the current ones, after all rebuilds. */
  upgrade?(world: World): void
  /**
   * Refuses a mutation at acceptance when it is certain to fail for the whole tick (in_transit,
   * in_combat …); called again when it is about to run.
   */
  admission?(view: WorldView, player: Eid, def: CommandDef): Failure | undefined
  /** Resolves the audiences this domain owns to player rows. */
  readonly audiences?: Readonly<Record<string, ResolveAudience>>
  /** The kind of entity that players are. One domain names it. */
  readonly players?: PlayersDef
  /** Renders sections of the v2 state. */
  readonly sections?: Readonly<Partial<Record<Section, RenderSection>>>
  /**
   * Renders sections for packed answers (core/wire/packed.ts), where that is much cheaper than to
   * render them in full.
   */
  readonly packedSections?: Readonly<Partial<Record<Section, RenderSection>>>
  /** Schemas of those sections, for OpenAPI. */
  readonly sectionSchemas?: Readonly<Partial<Record<Section, TSchema>>>
  /**
   * Returns whether a section has changed in this tick. An answer leaves out sections of `changes`
   * that have not. Source: WIRE 2.3.
   */
  readonly moved?: Readonly<Partial<Record<Section, HasMoved>>>
  /** Creates the projection that builds the public frames. One domain has it. */
  projection?(): PublicProjection
}

type Admitting = Required<Pick<DomainDef, 'admission'>>

export interface Registry {
  readonly domains: readonly DomainDef[]
  /** Domains that refuse mutations at acceptance. */
  readonly admitting: readonly Admitting[]
  readonly tables: readonly TableDef[]
  readonly records: readonly RecordsDef<unknown>[]
  readonly commands: ReadonlyMap<string, CommandDef>
  readonly references: References
  readonly events: ReadonlyMap<string, EventDef>
  readonly systems: readonly SystemDef[]
  readonly checks: readonly CheckDef[]
  readonly gauges: readonly GaugeDef[]
  readonly observers: Observers
  readonly guards: Guards
  readonly grants: Grants
  readonly players: PlayersDef
  readonly sections: ReadonlyMap<Section, RenderSection>
  readonly packedSections: ReadonlyMap<Section, RenderSection>
  readonly moved: ReadonlyMap<Section, HasMoved>
  readonly sectionSchemas: ReadonlyMap<Section, TSchema>
  readonly audiences: ReadonlyMap<string, ResolveAudience>
  readonly projection: DomainDef['projection']
}

const relationCheck = (relation: Relation): CheckDef => ({
  name: `lists: ${relation.name}, each row once in the list of its owner`,
  run(view, full) {
    if (full) relation.check(view)
  },
})

/** Indexes definitions by key. Two with the same key are a bug. */
function indexUnique<K, D>(what: string, defs: readonly D[], keyOf: (def: D) => K): Map<K, D> {
  const index = new Map<K, D>()
  for (const def of defs) {
    const key = keyOf(def)
    assert(!index.has(key), `${what} ${key} is defined twice`)
    index.set(key, def)
  }
  return index
}

/** Joins what domains contribute by name. */
function joinByName<K extends string, V>(
  domains: readonly DomainDef[],
  entriesOf: (domain: DomainDef) => Readonly<Partial<Record<K, V>>> | undefined,
): Map<K, V> {
  return new Map(domains.flatMap((domain) => Object.entries(entriesOf(domain) ?? {}) as [K, V][]))
}

/** Creates the registry of all domains; asserts that no name is used twice. */
export function createRegistry(domains: readonly DomainDef[]): Registry {
  const players = domains.find((domain) => domain.players)?.players
  assert(players, 'no domain names the kind of entity that players are')
  const commands = domains.flatMap((domain) => domain.commands ?? [])
  const events = domains.flatMap((domain) => domain.events ?? [])
  const references = domains.flatMap((domain) => domain.references ?? [])
  const addresses = commands.flatMap(({ v2 }) => v2 ?? [])
  indexUnique('v2 address', addresses, ({ tool, action }) => `${tool}/${action}`)
  return {
    domains,
    admitting: domains.filter((domain): domain is DomainDef & Admitting => !!domain.admission),
    tables: domains.flatMap((domain) => domain.tables ?? []),
    records: domains.flatMap((domain) => domain.records ?? []),
    commands: indexUnique('command', commands, commandKey),
    references: indexUnique('reference', references, ({ kind }) => kind),
    events: indexUnique('event', events, ({ type }) => type),
    systems: domains.flatMap((domain) => domain.systems ?? []),
    checks: domains.flatMap(({ relations = [], checks = [] }) => [
      ...relations.map(relationCheck),
      ...checks,
    ]),
    gauges: domains.flatMap((domain) => domain.gauges ?? []),
    observers: orderContributions(domains, ({ observers }) => observers),
    guards: orderContributions(domains, ({ guards }) => guards),
    grants: orderContributions(domains, ({ grants }) => grants),
    players,
    sections: joinByName(domains, ({ sections }) => sections),
    packedSections: joinByName(domains, ({ packedSections }) => packedSections),
    moved: joinByName(domains, ({ moved }) => moved),
    sectionSchemas: joinByName(domains, ({ sectionSchemas }) => sectionSchemas),
    audiences: joinByName(domains, ({ audiences }) => audiences),
    projection: domains.find(({ projection }) => projection)?.projection,
  }
}
