/** What a mining drone has pulled goes into its hold, and its owner hears of it. */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { namedContainer } from '../../core/goods.ts'
import type { Row, World } from '../../core/types.ts'
import { isBound } from '../account/rules.ts'
import { Deposit } from '../mining/columns.ts'
import { depletionPercent, remainingDisplay } from '../mining/rules.ts'
import { miningYield } from '../mining/views.ts'
import { stow } from './actions.ts'
import { Drone, Thought } from './columns.ts'
import { droneId } from './hull-rules.ts'

/** Takes the pull of a drone aboard; false when it came to nothing. Source: mining.md section 6. */
export function deliver(world: World, drone: Row): boolean {
  const { deposit, units } = world.read(Thought)
  if (deposit[drone] === 0 || units[drone] === 0) return false
  const item = world.read(Deposit).item[deposit[drone]]
  stow(world, drone, namedContainer('mined'), { item, units: units[drone] })
  const { owner } = world.read(Drone)
  if (isBound(world, owner[drone])) tell(world, drone, item)
  return true
}

function tell(world: World, drone: Row, item: number): void {
  const { deposit, units, left } = world.read(Thought)
  const good = GOODS[item]
  const max = world.read(Deposit).max[deposit[drone]]
  const remaining = left[drone]
  const payload = {
    kind: 'yield',
    drone_id: droneId(world, drone),
    resource_id: good.id,
    resource_name: good.name,
    quantity: units[drone],
    remaining,
    remaining_display: remainingDisplay(remaining),
    ...(remaining < 0 ? {} : { max_remaining: max }),
    ...(remaining < 0 || remaining === max
      ? {}
      : { depletion_percent: depletionPercent(remaining, max) }),
  }
  emit(world, miningYield, payload, toPlayer(world.read(Drone).owner[drone]))
}
