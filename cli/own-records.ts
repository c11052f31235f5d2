/**
 * Finds the records of a player: those kept under their number, or naming it in key or value.
 * Records declare no owner, so the tables are listed here, except those for bookkeeping only.
 */
import type { RecordsDef } from '../core/records.ts'
import type { World } from '../core/types.ts'
import { PLAYER_EARNED } from '../systems/achievement/state.ts'
import { DUELS, SAVED_SHIPS, WINS } from '../systems/arena/state.ts'
import { GIFTS } from '../systems/cargo/state.ts'
import { CITIZEN_BOOKS } from '../systems/citizenship/state.ts'
import { INVITES as FACTION_INVITES } from '../systems/faction/state.ts'
import { INVITES as FLEET_INVITES } from '../systems/fleet/state.ts'
import { keyOf } from '../systems/freight/actor-model.ts'
import { ACTOR_KINDS, CLAIMS, DEBTS, PROFILES } from '../systems/freight/state.ts'
import { MISSION_RECORDS, SHARES } from '../systems/mission/state.ts'
import { SURVEYED } from '../systems/sensing/state.ts'
import { STATEMENTS } from '../systems/tax/state.ts'
import { TRADES } from '../systems/trade/state.ts'
import { REVEALED, VISITED } from '../systems/travel/state.ts'
import { KNOWN_PATHS } from '../systems/wormhole/state.ts'

type Value = number | string

/** A record of a player; its values by their path in it, such as `offers[0]`. */
interface OwnRecord {
  readonly table: string
  readonly key: string
  readonly values: ReadonlyMap<string, Value>
}

/** ours: the longest record, the systems that a player has seen, has about a thousand values. */
const VALUES_MAX = 2_000
const RECORDS_MAX = 500

type Records = RecordsDef<unknown>

/** Tables whose key is the durable number of the player. */
const BY_NUMBER: readonly Records[] = [
  MISSION_RECORDS,
  CITIZEN_BOOKS,
  STATEMENTS,
  SAVED_SHIPS,
  PLAYER_EARNED,
  VISITED,
  REVEALED,
  SURVEYED,
  KNOWN_PATHS,
  WINS,
]

/** Tables whose key is the key of a carrier. */
const BY_CARRIER: readonly Records[] = [PROFILES, DEBTS]

/** A table whose records name players in their key or value. */
interface NamingTable {
  readonly def: Records
  /** Returns whether a record names the player of this number. */
  isOf(number: number, key: string, value: unknown): boolean
}

/** Declares the fields of a record that hold the number of a player. */
const namedBy = <T>(def: RecordsDef<T>, ...fields: (keyof T)[]): NamingTable => ({
  def,
  isOf: (number, _, value) => fields.some((field) => (value as T)[field] === number),
})

const NAMING: readonly NamingTable[] = [
  namedBy(TRADES, 'offerer', 'target'),
  namedBy(FACTION_INVITES, 'player', 'by'),
  namedBy(FLEET_INVITES, 'player', 'by'),
  namedBy(DUELS, 'challenger', 'challenged'),
  { def: SHARES, isOf: (number, key) => key.endsWith(`:${number}`) },
  {
    def: GIFTS,
    isOf: (number, _, value) => (value as { box: string }).box.startsWith(`${number}:`),
  },
  {
    def: CLAIMS,
    isOf: (number, _, value) => {
      const { kind, number: party } = value as { kind: number; number: number }
      return ACTOR_KINDS[kind] === 'player' && party === number
    },
  },
]

/** Adds the numbers and texts of a record, up to a bound. */
function addValues(value: unknown, path: string, into: Map<string, Value>): void {
  if (into.size >= VALUES_MAX) return
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      const next = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
      addValues(inner, next, into)
    }
  } else if (value !== null && value !== undefined) {
    into.set(path || 'value', typeof value === 'number' ? value : String(value))
  }
}

/** Lists the records of the player with this durable number, at most RECORDS_MAX. */
export function ownRecords(world: World, number: number): OwnRecord[] {
  const found: OwnRecord[] = []
  const add = ({ name }: Records, key: string, value: unknown): void => {
    if (value === undefined || found.length >= RECORDS_MAX) return
    const values = new Map<string, Value>()
    addValues(value, '', values)
    found.push({ table: name, key, values })
  }
  const [own, carrier] = [String(number), keyOf({ kind: 'player', number })]
  for (const def of BY_NUMBER) add(def, own, world.records(def).get(own))
  for (const def of BY_CARRIER) add(def, carrier, world.records(def).get(carrier))
  for (const { def, isOf } of NAMING) {
    for (const [key, value] of world.records(def).entries()) {
      if (isOf(number, key, value)) add(def, key, value)
    }
  }
  return found
}
