/**
 * The command `shipping`: v1 has one with an action, v2 an address each. Both are made from one
 * table of actions, each of its own kind. Source: spec; crafting.md section 10.
 */
import { actionCommands } from '../../core/action-table.ts'
import { fail } from '../../core/errors.ts'
import type { Asked, FreightAction } from './model.ts'
import { READING } from './read-actions-commands.ts'
import { FREIGHT_PARAMS } from './schemas.ts'
import { WRITING } from './write-actions-commands.ts'

export const FREIGHT_ACTIONS: readonly FreightAction[] = [...READING, ...WRITING]

export const shippingCommands = actionCommands<Asked>({
  name: 'shipping',
  tool: 'game_shipping',
  category: 'shipping',
  summary: 'Have packages carried from base to base, or carry those of others for a reward.',
  params: FREIGHT_PARAMS,
  rows: FREIGHT_ACTIONS,
  changes: ['player', 'ship', 'cargo'],
  lacks: ({ name }, asked) =>
    name === 'post' && asked.base_reward === undefined ? fail('reward_required') : undefined,
  help: {
    description: 'Has packages carried from base to base by players and factions.',
    notes: [
      'A contract is about one sealed package: craft pack_package makes one.',
      'Reward and bonus wait in escrow. The bonus shrinks from the target tick to the deadline.',
      'Late packages may still come for 2,880 ticks; the reward melts away meanwhile.',
      'The carrier answers for the package whoever has it in hand. Opening it is a breach.',
      'Who loses a package owes the shipping house, and carries nothing more until that is paid.',
    ],
  },
})
