/**
 * The schema of the v2 state, assembled from the sections that the domains describe. A mutation
 * answers with the sections it changes, its own result under `details`, and a few fields beside
 * them. Source: WIRE 2.
 */
import type { Registry } from '../core/registry.ts'
import { SECTIONS } from '../core/types.ts'

export type JsonObject = Record<string, unknown>

/** Name of the OpenAPI component, and the `$id` of query results that are the whole state. */
export const GAME_STATE = 'V2GameState'

const TEXT = { type: 'string' } as const
const WHOLE = { type: 'integer' } as const

/** Fields beside the sections. Source: contract, V2GameState. */
const BESIDE: Readonly<Record<string, JsonObject>> = {
  message: { ...TEXT, description: 'One sentence about what happened.' },
  details: { type: 'object', additionalProperties: true, description: "The command's own result." },
  credits: { ...WHOLE, description: "The player's credits after the command." },
  hints: { type: 'array', items: TEXT, description: 'What to try next.' },
  version: { ...TEXT, description: 'Server version.' },
  auto_docked: { type: 'boolean', description: 'The ship was docked automatically first.' },
  auto_undocked: { type: 'boolean', description: 'The ship was undocked automatically first.' },
  bay_capacity: { ...WHOLE, description: 'Slots of the ship bay.' },
  bay_used: { ...WHOLE, description: 'Slots in use.' },
  carried_ships: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        ship_id: TEXT,
        class_id: TEXT,
        class_name: TEXT,
        name: TEXT,
        scale: WHOLE,
        slots_used: WHOLE,
      },
    },
    description: 'Ships in the bay.',
  },
  prize_recoveries: {
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Prizes on their way home; only get_status and get_state have them.',
  },
  riding: {
    type: 'object',
    properties: { ship_id: TEXT, carrier: TEXT },
    description: 'The ship the player rides in, when that is not their own.',
  },
}

/** Returns the JSON schema of the state; a section no domain describes yet is an open object. */
export function gameStateSchema(registry: Registry): JsonObject {
  const properties: JsonObject = {}
  for (const section of SECTIONS)
    properties[section] = registry.sectionSchemas.get(section) ?? { type: ['object', 'array'] }
  return {
    type: 'object',
    description: 'Sections of the state; an absent section is unchanged.',
    properties: { ...properties, ...BESIDE },
  }
}
