/**
 * What a bot has learned from answers, and the parameters it makes from that: mostly valid ones.
 * Fields are filled by their name and schema; few commands are known by name.
 */
import type { TProperties } from 'typebox'
import { GOODS } from '../../core/catalog/index.ts'
import type { CommandDef } from '../../core/command.ts'
import type { Dice } from '../../core/dice.ts'
import type { Payload } from './requests.ts'

/** Ids kept of each kind; the oldest is forgotten first. */
const KEPT_MAX = 24
const NODES_MAX = 250
const DEPTH_MAX = 6
const INVALID_PCT = 6

/** What a player travels for. */
export type Purpose = 'mine' | 'base'

export interface Knowledge {
  learn(payload: Payload): void
  params(def: CommandDef, dice: Dice): Payload
  /** Draws a place in the current system that serves a purpose. */
  place(purpose: Purpose, dice: Dice): string | undefined
}

/** Kinds of ids by the list they are in, for rows whose field is just `id`. */
const KIND_OF_LIST: Readonly<Record<string, string>> = {
  systems: 'system',
  items: 'item',
  orders: 'order',
  bases: 'base',
  stations: 'base',
  modules: 'module',
  resources: 'item',
  deposits: 'item',
  entries: 'item',
  nearby: 'player',
  players: 'player',
}
/** Lists that are always complete, so they replace all that was known of their kind. */
const WHOLE_LISTS: Readonly<Record<string, { readonly kind: string; readonly id: string }>> = {
  pois: { kind: 'poi', id: 'id' },
  connections: { kind: 'lane', id: 'system_id' },
  cargo: { kind: 'held', id: 'item_id' },
}
/** Kinds that a command's item or system is mostly drawn from. */
const PREFERRED: Readonly<Record<string, string>> = {
  sell: 'held',
  jettison: 'held',
  deposit_items: 'held',
  deposit: 'held',
  create_sell_order: 'held',
  buy: 'sold',
  estimate_purchase: 'sold',
  create_buy_order: 'sold',
  jump: 'lane',
}
const MINED = /belt|asteroid|cloud|nebula/
/** Lists and fields with the ids of possible targets. */
const ENEMY_LISTS = /^(nearby|pirates|participants)$/
const ENEMY_IDS = /^(pirate_id|player_id)$/
/** Kinds of fields that are named otherwise. */
const KIND_ALIASES: Readonly<Record<string, string>> = {
  id: 'enemy',
  weapon_instance: 'module',
  ammo_item: 'item',
  station: 'base',
  target: 'player',
  username: 'player',
  recipient: 'player',
  base_poi: 'poi',
}

const kindOf = (field: string): string => {
  const bare = field.replace(/^(target|from|to|dest|destination|start|home|current)_/, '')
  const kind = bare.replace(/_(id|name)$/, '')
  return KIND_ALIASES[kind] ?? kind
}

const JUNK = [null, '', 'x', '🙂', -1, 0, 1e9, 1.5, true, [], {}, 'a'.repeat(300), '\u202e', '1']
const WORDS = [
  'ore',
  'sol',
  'hello there',
  'any iron?',
  'station',
  'wormhole',
  'meet me',
  'a',
  '42',
]

const CHANNELS = ['system', 'local', 'private', 'faction']

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly examples?: readonly unknown[]
  readonly items?: Schema
}

/** Returns about how large a number in a field can be to be accepted mostly. */
function usualMax(field: string): number {
  if (/quantity|units|amount|count/.test(field)) return 6
  return /price/.test(field) ? 400 : 30
}

function wholeNumber(field: string, schema: Schema, dice: Dice): number {
  const { minimum = 0, maximum = 1_000 } = schema
  const usual = usualMax(field)
  const value = Math.max(minimum, 1) + dice.below(dice.chance(90) ? usual : usual * 1_000)
  return Math.min(value, maximum)
}

export function createKnowledge(): Knowledge {
  const pools = new Map<string, string[]>()
  const places = new Map<string, { readonly type: string; readonly base: boolean }>()

  const keep = (kind: string, id: string): void => {
    if (id === '' || id.length > 80) return
    let pool = pools.get(kind)
    if (!pool) {
      pool = []
      pools.set(kind, pool)
    }
    if (pool.includes(id)) return
    pool.push(id)
    if (pool.length > KEPT_MAX) pool.shift()
  }
  /** Replaces what was known of a kind by a complete list. */
  const replace = (name: string, rows: readonly unknown[]): void => {
    const { kind, id } = WHOLE_LISTS[name]
    pools.set(kind, [])
    if (kind === 'poi') places.clear()
    for (const row of rows.slice(0, KEPT_MAX)) {
      const entry = row as Readonly<Record<string, unknown>> | null
      if (typeof entry?.[id] !== 'string') continue
      keep(kind, entry[id])
      if (kind === 'poi') places.set(entry[id], { type: `${entry.type}`, base: !!entry.has_base })
    }
  }
  const walk = (value: unknown, list: string, depth: number, budget: { left: number }): void => {
    if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
    for (const [key, part] of Object.entries(value)) {
      if (--budget.left < 0) return
      if (typeof part !== 'string') {
        if (Array.isArray(part) && WHOLE_LISTS[key]) replace(key, part)
        walk(part, Array.isArray(value) ? list : key, depth + 1, budget)
        continue
      }
      if (key === 'id' && KIND_OF_LIST[list]) keep(KIND_OF_LIST[list], part)
      else if (key === 'item_id' && 'best_sell' in value) keep('sold', part)
      else if (ENEMY_IDS.test(key) && ENEMY_LISTS.test(list)) keep('enemy', part)
      else if (key.endsWith('_id') || key === 'username') keep(kindOf(key), part)
      else if (Array.isArray(value) && KIND_OF_LIST[list]) keep(KIND_OF_LIST[list], part)
    }
  }
  const fromPool = (field: string, command: string, dice: Dice): string | undefined => {
    const kind = kindOf(field)
    const hasPreferred = kind === 'item' || kind === 'system'
    const preferred = hasPreferred ? pools.get(PREFERRED[command]) : undefined
    if (preferred && preferred.length > 0 && dice.chance(85)) return dice.pick(preferred)
    const pool = pools.get(kind)
    if (kind === 'item' && (!pool || dice.chance(10))) return dice.pick(GOODS).id
    return pool && pool.length > 0 ? dice.pick(pool) : undefined
  }
  const fill = (field: string, schema: Schema, command: string, dice: Dice): unknown => {
    if (schema.enum) return dice.pick(schema.enum)
    switch (schema.type) {
      case 'integer':
      case 'number':
        return wholeNumber(field, schema, dice)
      case 'boolean':
        return dice.chance(50)
      case 'array':
        return Array.from({ length: 1 + dice.below(3) }, () =>
          fill(field.replace(/s$/, ''), schema.items ?? {}, command, dice),
        )
      case 'object':
        return Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, part]) => [
            name,
            fill(name, part, command, dice),
          ]),
        )
      default:
        if (command === 'chat' && field === 'channel') return dice.pick(CHANNELS)
        if (field === 'target' && dice.chance(60)) return textOf(schema, dice)
        return fromPool(field, command, dice) ?? textOf(schema, dice)
    }
  }
  return {
    learn: (payload) => walk(payload, '', 0, { left: NODES_MAX }),
    place(purpose, dice) {
      const suitable = [...places].filter(([, { type, base }]) =>
        purpose === 'base' ? base : MINED.test(type),
      )
      return suitable.length > 0 ? dice.pick(suitable)[0] : undefined
    },
    params(def, dice) {
      const params: Record<string, unknown> = {}
      const required = (def.params as { required?: readonly string[] }).required ?? []
      for (const [field, schema] of Object.entries(def.params.properties as TProperties)) {
        if (!required.includes(field) && dice.chance(55)) continue
        params[field] = fill(field, schema as Schema, def.name, dice)
      }
      const fields = Object.keys(params)
      if (fields.length > 0 && dice.chance(INVALID_PCT)) {
        const field = dice.pick(fields)
        if (dice.chance(30)) delete params[field]
        else params[field] = dice.pick(JUNK)
      }
      return params
    },
  }
}

/** Returns the example of the schema, or a word with a number. */
function textOf(schema: Schema, dice: Dice): string {
  const example = schema.examples?.[0]
  if (typeof example === 'string' && dice.chance(50)) return example
  return `${dice.pick(WORDS)} ${dice.below(100)}`.slice(0, schema.maxLength ?? 80)
}
