/** What `fleet help` says. */

const ACTIONS: readonly (readonly [action: string, description: string, params: string[]])[] = [
  ['create', 'Forms a fleet that you lead.', []],
  ['invite', 'Asks a player beside you to join; leaders only.', ['player_id']],
  ['accept', 'Joins the fleet that asked last, or that of player_id.', ['player_id']],
  ['decline', 'Turns that invitation down.', ['player_id']],
  ['leave', 'Leaves the fleet; a leader disbands it.', []],
  ['kick', 'Puts a member out; leaders only.', ['player_id']],
  ['disband', 'Ends the fleet; leaders only.', []],
  ['status', 'Members, leader, invitations.', []],
  ['help', 'This.', []],
]

const NOTES: readonly string[] = [
  'When the leader travels, jumps, docks or undocks, every member beside him goes along.',
  'All arrive with the slowest; each burns his own fuel, and one who cannot go holds all back.',
  'A member beside the leader cannot move alone; one left behind flies after the fleet himself.',
  'Members in a battle stay behind. When the leader attacks, or a mate is attacked, all join in.',
  'A leader offline for 6 ticks is followed by the next; offline for 360, members are dropped.',
]

export const fleetHelp = () => ({
  action: 'help' as const,
  command: 'fleet',
  description: 'Pilots who fly and fight together under one leader.',
  actions: ACTIONS.map(([action, description, params]) => ({ action, description, params })),
  notes: [...NOTES],
})
