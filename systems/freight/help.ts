/** What `shipping help` says: read off the table of actions. */
import type { FreightAction } from './action.ts'

const NOTES: readonly string[] = [
  'A contract is about one sealed package: craft pack_package makes one.',
  'Reward and bonus wait in escrow. The bonus shrinks from the target tick to the deadline.',
  'Late packages may still come for 2,880 ticks; the reward melts away meanwhile.',
  'The carrier answers for the package whoever has it in hand. Opening it is a breach.',
  'Who loses a package owes the shipping house, and carries nothing more until that is paid.',
]

export const renderHelp = (actions: readonly FreightAction[]) => ({
  action: 'help',
  command: 'shipping',
  description: 'Has packages carried from base to base by players and factions.',
  actions: actions.map(({ name, summary, required = [], optional = [] }) => ({
    action: name,
    description: summary,
    params: [...required, ...optional.map((param) => `${param}?`)],
  })),
  notes: [...NOTES],
})
