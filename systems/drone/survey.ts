/** What a scout drone finds. Source: drones.md section 3.6, travel.md section 8, Survey. */
import { GOODS } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { addPercent } from '../../core/math.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Deposit } from '../mining/columns.ts'
import { depositRemaining, depositsOf } from '../mining/views.ts'
import { reveal, seesPoi } from '../sensing/rules.ts'
import { levelOf } from '../skill/rules.ts'
import { Poi } from '../travel/columns.ts'
import { poiId, poiName, poisOf, systemId } from '../travel/rules.ts'
import type { Do } from './actions.ts'
import { Drone } from './columns.ts'
import { droneSurvey } from './events.ts'
import { droneId } from './hull-rules.ts'
import { SURVEY_POWER } from './types.ts'

/** A place as its survey shows it. */
function report(world: World, drone: Row, poi: Eid): void {
  const { item, richness, max } = world.read(Deposit)
  const { owner, system } = world.read(Drone)
  const payload = {
    drone_id: droneId(world, drone),
    system_id: systemId(world, system[drone]),
    poi_id: poiId(world, poi),
    poi_name: poiName(world, poi),
    resources: depositsOf(world, poi).map((row) => {
      const remaining = depositRemaining(world, row)
      return {
        ...{ resource_id: GOODS[item[row]].id, richness: richness[row], remaining },
        ...(remaining < 0 ? {} : { max_remaining: max[row] }),
      }
    }),
  }
  emit(world, droneSurvey, payload, toPlayer(owner[drone]))
}

/** Reveals what its power reaches to its owner; tells of these places, and of its own. */
export const survey: Do = (world, drone) => {
  const { owner, system, poi: at } = world.read(Drone)
  const player = owner[drone]
  const power = addPercent(SURVEY_POWER, levelOf(world, player, 'scanning'))
  const { hidden, difficulty } = world.read(Poi)
  const found = poisOf(world, system[drone]).filter(
    (poi) => hidden[poi] === 1 && difficulty[poi] <= power && !seesPoi(world, player, poi),
  )
  reveal(world, player, found)
  report(world, drone, at[drone])
  for (const poi of found) if (poi !== at[drone]) report(world, drone, poi)
  return true
}
