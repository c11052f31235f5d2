/** What `fleet help` says. */
import { say } from '../../core/say.ts'

const ACTIONS: readonly (readonly [action: string, description: string, params: string[]])[] = [
  ['create', 'Forms a fleet that you lead.', []],
  ['invite', 'Asks a player beside you to join; leaders only.', ['player_id']],
  ['accept', 'Joins the fleet that asked last, or that of player_id.', ['player_id']],
  ['decline', 'Turns that invitation down.', ['player_id']],
  ['leave', 'Leaves the fleet; a leader disbands it.', []],
  ['kick', 'Puts a member out; leaders only.', ['player_id']],
  ['disband', 'Ends the fleet; leaders only.', []],
  [
    'board',
    'Goes aboard the ship of a member of your faction, docked beside you, with a free berth.',
    ['player_id', 'garage'],
  ],
  ['disembark', 'Leaves that ship where it is docked.', []],
  ['status', 'Members, leader, invitations.', []],
  ['help', 'This.', []],
]

const NOTES: readonly string[] = [
  'When the leader travels, jumps, docks or undocks, every member beside him goes along.',
  'All arrive with the slowest; each burns his own fuel, and one who cannot go holds all back.',
  'A member beside the leader cannot move alone; one left behind flies after the fleet himself.',
  'Members in a battle stay behind. When the leader attacks, or a mate is attacked, all join in.',
  'A passenger has no ship: he goes where his carrier goes, and commands for ships are refused.',
  say`Ashore, {switch_ship} takes up a ship parked there; after 360 ticks one wakes at home in another.`,
  'A leader offline for 6 ticks is followed by the next; offline for 360, members are dropped.',
]

/** What a command of an action may look like, for those that take more than their name. */
const EXAMPLES: Readonly<Record<string, Record<string, string>[]>> = {
  invite: [{ action: 'invite', player_id: 'Ada' }],
  kick: [{ action: 'kick', player_id: 'Ada' }],
  board: [
    { action: 'board', player_id: 'Ada' },
    { action: 'board', player_id: 'Ada', garage: 'true' },
  ],
}

/** Where the own ship may stay behind, and whom the actions are about. */
const SOURCES = {
  parked: 'Without garage your ship stays parked at the base, and is yours.',
  garage: 'With garage: true it goes to the garage of your faction, for any member to take.',
}
const TARGETS = {
  player_id: 'Id or name of the player: who is asked, put out, or carries you.',
}

export const fleetHelp = () => ({
  action: 'help' as const,
  command: 'fleet',
  description: 'Pilots who fly and fight together under one leader.',
  actions: ACTIONS.map(([action, description, params]) => {
    const examples = EXAMPLES[action]
    const shown = examples === undefined ? {} : { example: examples[0], examples }
    return { action, description, params, ...shown }
  }),
  sources: SOURCES,
  targets: TARGETS,
  notes: [...NOTES],
})
