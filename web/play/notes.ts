/** Describes events in sentences. A type without a sentence is shown by its fields. */
import { formatId } from '../parts/format.ts'
import type { Json, Note } from './state.ts'

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const SENTENCES: Readonly<Record<string, (payload: Json) => string>> = {
  mining_yield: (p) => `Mined ${text(p.quantity)} ${text(p.resource_name ?? p.resource_id)}`,
  mission_update: (p) => `Mission: ${text(p.objective)}, ${text(p.current)} of ${text(p.required)}`,
  skill_level_up: (p) => `Your skill ${text(p.skill_id)} is now at level ${text(p.new_level)}`,
  player_died: (p) =>
    [
      `Your ship ${text(p.ship_lost)} is lost${p.killer_name ? ` to ${text(p.killer_name)}` : ''};`,
      `you respawn at ${text(p.respawn_base)}`,
    ].join(' '),
  trade_fill: (p) => `Filled: ${text(p.quantity)} ${text(p.item_name)} at ${text(p.price_each)}`,
  battle_started: () => 'A battle has started in your system',
  battle_ended: () => 'A battle is over',
  gift_received: (p) => `${text(p.sender)} has sent you a gift`,
}

const CHARACTERS_MAX = 200
const FIELDS_MAX = 6

/** Returns the plain fields of an object in one line: `quantity 4, resource name Iron Ore`. */
export const factsOf = (payload: Json): string =>
  Object.entries(payload)
    .filter(([name, value]) => name !== 'tick' && ['string', 'number'].includes(typeof value))
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${text(value)}`)
    .join(', ')

/** Describes an event in one line. */
export function describeNote({ type, payload }: Pick<Note, 'type' | 'payload'>): string {
  const made = SENTENCES[type]?.(payload).trim()
  if (made) return made.slice(0, CHARACTERS_MAX)
  if (typeof payload.message === 'string' && payload.message !== '')
    return payload.message.slice(0, CHARACTERS_MAX)
  return [formatId(type), factsOf(payload)].filter(Boolean).join(': ').slice(0, CHARACTERS_MAX)
}
