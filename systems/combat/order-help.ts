/** What `battle help` says of the orders, and what they are called. Source: contract, battle. */
import { anyObject, list, obj, opt, optional, strings, Type } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { PARTICIPANT_KINDS, STANCES, ZONES } from './columns.ts'
import { AUTOPILOT_AFTER_TICKS } from './damage.ts'
import { SELF_DESTRUCT_TICKS } from './self-destruct.ts'

export const ACTIONS = [
  'advance',
  'retreat',
  'stance',
  'target',
  'board',
  'engage',
  'self_destruct',
] as const
export type Action = (typeof ACTIONS)[number]

export const SUMMARY: Readonly<Record<Action, string>> = {
  advance: 'Move one ring inwards, nearer to the enemy.',
  retreat: 'Move one ring outwards, away from the enemy.',
  stance: 'Take a stance: fire, evade, brace, flee, or board with target and marines.',
  target: 'Fire at this participant; without a target guns fire at the nearest enemy.',
  board: 'Send marines aboard an enemy ship.',
  engage: 'Join the battle of your system on a side; it counts as an attack on its enemies.',
  self_destruct: `Blow up your ship in ${SELF_DESTRUCT_TICKS} ticks, for all to see.`,
}

interface Usage {
  readonly params: readonly string[]
  readonly examples: readonly Readonly<Record<string, string | number>>[]
}

const FOE = '4f8a2c10-0000-4000-8000-000000000001'

const USAGE: Readonly<Record<Action, Usage>> = {
  advance: { params: [], examples: [{ action: 'advance' }] },
  retreat: { params: [], examples: [{ action: 'retreat' }] },
  stance: {
    params: ['stance', 'target_id', 'marines'],
    examples: [
      { action: 'stance', stance: 'brace' },
      { action: 'stance', stance: 'board', target_id: FOE, marines: 5 },
    ],
  },
  target: { params: ['target_id'], examples: [{ action: 'target', target_id: FOE }] },
  board: {
    params: ['target_id', 'marines'],
    examples: [{ action: 'board', target_id: FOE, marines: 5 }],
  },
  engage: {
    params: ['side_id'],
    examples: [{ action: 'engage' }, { action: 'engage', side_id: 2 }],
  },
  self_destruct: { params: [], examples: [{ action: 'self_destruct' }] },
}

/** Where the values of a parameter come from. */
const SOURCES = {
  target_id: say`participants[].player_id of battle_update and {get_battle_status}, or a user name.`,
  side_id: say`sides[].side_id of battle_started, battle_alert and {get_battle_status}.`,
  marines: say`personnel.fit_marines of {get_ship}: no more than those.`,
  stance: 'One of the stances below.',
} as const

/** What the values may be. */
const TARGETS = {
  stance: [...STANCES],
  zone: [...ZONES].reverse(),
  kind: [...PARTICIPANT_KINDS],
  board: ['player', 'pirate', 'npc', 'prize'],
} as const

export const helpSchema = obj({
  ...strings('action', 'command', 'description'),
  actions: list(
    obj({
      ...strings('action', 'description'),
      params: list(Type.String()),
      ...opt({ example: anyObject(), examples: list(anyObject()) }),
    }),
  ),
  notes: list(Type.String()),
  sources: optional(anyObject()),
  targets: optional(anyObject()),
})

export const battleHelp = () => ({
  action: 'help',
  command: 'battle',
  description: 'Orders to your ship in a battle. They take effect with the next tick.',
  actions: ACTIONS.map((action) => ({
    action,
    description: SUMMARY[action],
    params: [...USAGE[action].params],
    example: { ...USAGE[action].examples[0] },
    examples: USAGE[action].examples.map((example) => ({ ...example })),
  })),
  notes: [
    'Orders take no tick: the latest of each sort counts.',
    `For ${AUTOPILOT_AFTER_TICKS} ticks after an order the autopilot is off.`,
    'Fleeing counts at the outer ring only, and not while you are tackled or boarded.',
    'Bracing takes a quarter of the damage and regrows shields twice as fast, but does not fire.',
  ],
  sources: { ...SOURCES },
  targets: TARGETS,
})
