/**
 * What a domain contributes, and the registry made of all domains: the only thing net and the
 * engine know of the game.
 */
import type { TSchema } from 'typebox'
import { assert } from './assert.ts'
import type { TableDef } from './columns.ts'
import { type CommandDef, commandKey } from './command.ts'
import type { Failure } from './errors.ts'
import type { EventDef } from './event.ts'
import { orderContributions } from './occurrence.ts'
import type { RecordsDef } from './records.ts'
import type { ReferenceDef, ReferenceKind, References } from './reference.ts'
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
 * A check of invariants; throws by `assert`. `full` asks for the costly form (every tick in tests).
 */
export interface CheckDef {
  /** Invariant of RELIABILITY 4, and what is checked. */
  readonly name: string
  run(view: WorldView, full: boolean): void
}

interface PlayersDef {
  readonly table: TableDef
  isBound(view: WorldView, player: Eid): boolean
  /** Notes that a command of the player ran in this batch. */
  acted?(world: World, player: Eid): void
}

/**
 * A figure of the world that operators see, read after each tick: it must be there to be read, or
 * cost no more than a handful of rows.
 */
export interface GaugeDef {
  /** Snake case, with the unit at its end where the figure has one. */
  readonly name: string
  readonly help: string
  read(view: WorldView): number
}

/** A gauge of the rows in use of a table. */
export const countGauge = (name: string, table: TableDef, help: string): GaugeDef => ({
  name,
  help,
  read: (view) => view.countOf(table),
})

export interface DomainDef {
  readonly name: string
  readonly tables?: readonly TableDef[]
  readonly records?: readonly RecordsDef<unknown>[]
  /** Lists its rows keep; each adds its check. */
  readonly relations?: readonly Relation[]
  readonly commands?: readonly CommandDef[]
  /** Kinds of things that parameters name, and how this domain finds them. */
  readonly references?: readonly ReferenceDef[]
  readonly events?: readonly EventDef[]
  readonly systems?: readonly SystemDef[]
  readonly checks?: readonly CheckDef[]
  readonly gauges?: readonly GaugeDef[]
  /** What it does when something happens in a domain below it. */
  readonly observers?: readonly ObserverDef[]
  /** Where it has a say in what a domain below it asks: what it refuses, and what it allows. */
  readonly guards?: readonly GuardDef[]
  readonly grants?: readonly GrantDef[]
  /** Fills a new world; domains run in registry order. */
  genesis?(world: World): void
  /** Rebuilds derived columns, tags and indexes from saved state. */
  rebuild?(world: World): void
  /**
   * Refuses a mutation at acceptance when it is certain to fail for the whole tick (in_transit,
   * in_combat …); asked again when it is about to run.
   */
  admission?(view: WorldView, player: Eid, def: CommandDef): Failure | undefined
  /** Resolves the audiences this domain owns to player rows. */
  readonly audiences?: Readonly<Record<string, (view: WorldView, row: Row) => readonly Eid[]>>
  /** The kind of entity that players are. One domain names it. */
  readonly players?: PlayersDef
  /** Schemas of those sections, for OpenAPI. */
  readonly sectionSchemas?: Readonly<Partial<Record<Section, TSchema>>>
  /** Sections of the v2 state this domain renders. */
  readonly sections?: Readonly<Partial<Record<Section, (view: WorldView, player: Eid) => unknown>>>
  /**
   * Says of a section whether it is another one than before this tick. A command that names such a
   * section in `changes` leaves it out where it stayed as it was. Source: WIRE 2.3.
   */
  readonly moved?: Readonly<Partial<Record<Section, (view: WorldView, player: Eid) => boolean>>>
}

export interface Registry {
  readonly domains: readonly DomainDef[]
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
  readonly sections: ReadonlyMap<Section, (view: WorldView, player: Eid) => unknown>
  readonly moved: ReadonlyMap<Section, (view: WorldView, player: Eid) => boolean>
  readonly sectionSchemas: ReadonlyMap<Section, TSchema>
  readonly audiences: ReadonlyMap<string, (view: WorldView, row: Row) => readonly Eid[]>
}

const checkOf = (relation: Relation): CheckDef => ({
  name: `lists: ${relation.name}, each row once in the list of whom it belongs to`,
  run(view, full) {
    if (full) relation.check(view)
  },
})

export function createRegistry(domains: readonly DomainDef[]): Registry {
  const commands = new Map<string, CommandDef>()
  const addresses = new Set<string>()
  const events = new Map<string, EventDef>()
  const sectionSchemas = new Map<Section, TSchema>()
  const players = domains.find((domain) => domain.players)?.players
  assert(players, 'no domain names the kind of entity that players are')
  const sections = new Map<Section, (view: WorldView, player: Eid) => unknown>()
  const moved = new Map<Section, (view: WorldView, player: Eid) => boolean>()
  const audiences = new Map<string, (view: WorldView, row: Row) => readonly Eid[]>()
  const references = new Map<ReferenceKind, ReferenceDef>()
  for (const domain of domains) {
    for (const def of domain.commands ?? []) {
      const key = commandKey(def)
      assert(!commands.has(key), `command ${key} is defined twice`)
      commands.set(key, def)
      if (!def.v2) continue
      const address = `${def.v2.tool}/${def.v2.action}`
      assert(!addresses.has(address), `v2 address ${address} is taken twice`)
      addresses.add(address)
    }
    for (const reference of domain.references ?? []) {
      assert(!references.has(reference.kind), `references to ${reference.kind} are found twice`)
      references.set(reference.kind, reference)
    }
    for (const event of domain.events ?? []) {
      assert(!events.has(event.type), `event ${event.type} is defined twice`)
      events.set(event.type, event)
    }
    for (const [name, render] of Object.entries(domain.sections ?? {})) {
      sections.set(name as Section, render)
    }
    for (const [name, didMove] of Object.entries(domain.moved ?? {})) {
      moved.set(name as Section, didMove)
    }
    for (const [name, schema] of Object.entries(domain.sectionSchemas ?? {})) {
      sectionSchemas.set(name as Section, schema)
    }
    for (const [kind, resolve] of Object.entries(domain.audiences ?? {}))
      audiences.set(kind, resolve)
  }
  return {
    domains,
    tables: domains.flatMap((domain) => domain.tables ?? []),
    records: domains.flatMap((domain) => domain.records ?? []),
    commands,
    references,
    events,
    systems: domains.flatMap((domain) => domain.systems ?? []),
    checks: domains.flatMap(({ relations = [], checks = [] }) => [
      ...relations.map(checkOf),
      ...checks,
    ]),
    gauges: domains.flatMap((domain) => domain.gauges ?? []),
    observers: orderContributions(domains, ({ observers }) => observers),
    guards: orderContributions(domains, ({ guards }) => guards),
    grants: orderContributions(domains, ({ grants }) => grants),
    players,
    sections,
    moved,
    sectionSchemas,
    audiences,
  }
}
