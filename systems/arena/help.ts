/** What `arena help` says. */
import { say } from '../../core/say.ts'

const ACTIONS: readonly (readonly [action: string, description: string, params: string[]])[] = [
  ['challenges', 'Lists the challenges of the house.', []],
  ['fight', 'Takes up a challenge of the house, at its arena.', ['challenge_id']],
  ['challenge', 'Challenges a player at your arena.', ['player_id', 'max_side_size']],
  ['accept', 'Takes up the challenge of a player.', ['challenge_id']],
  ['decline', 'Turns the challenge of a player down.', ['challenge_id']],
  ['cancel', 'Takes back your own challenge.', ['challenge_id']],
  ['status', 'Your match, and challenges that wait.', []],
  ['help', 'This.', []],
]

const NOTES: readonly string[] = [
  'Hull, shield, fuel, ammunition, hold, people and place are as before when a match is over.',
  say`In a match you give battle orders, attack, reload, {use_item} and scan; nothing else.`,
  'Whoever is beaten is knocked out: no wreck, no bounty, no crime. Experience counts, so much a day.',
  'A challenge between players lapses after 30 ticks; a match ends after 360 at the latest.',
]

export const arenaHelp = () => ({
  action: 'help' as const,
  command: 'arena',
  description: 'Fights without consequences, against players or the house.',
  actions: ACTIONS.map(([action, description, params]) => ({ action, description, params })),
  notes: [...NOTES],
})
