/** Wire forms of personnel. Only the owner of a ship sees how many people are aboard. */
import type { Static } from '../../core/params.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { hasService } from '../base/model.ts'
import { Ship } from '../ship/state.ts'
import { peopleOf } from './model.ts'
import type { berthsSchema, countsSchema, poolsSchema, stateSchema } from './schemas.ts'
import { type People, Pools, PRICES } from './state.ts'

export const renderCounts = (people: People): Static<typeof countsSchema> => ({
  fit_crew: people.fitCrew,
  fit_marines: people.fitMarines,
  injured_crew: people.injuredCrew,
  injured_marines: people.injuredMarines,
})

export const renderState = (view: WorldView, ship: Eid): Static<typeof stateSchema> => ({
  ...renderCounts(peopleOf(view, ship)),
  version: view.read(Ship).personnelVersion[ship],
})

export function renderCapacities(view: WorldView, ship: Eid): Static<typeof berthsSchema> {
  const { crewCap, crewMin, marineCap } = view.read(Ship)
  return {
    crew_capacity: crewCap[ship],
    minimum_crew: crewMin[ship],
    marine_capacity: marineCap[ship],
  }
}

/** Renders how many people a base has for hire and can treat, and the prices. */
export function renderPools(view: WorldView, base: Eid): Static<typeof poolsSchema> {
  const { crew, marines, medical } = view.read(Pools)
  return {
    crew: crew[base],
    marines: marines[base],
    medical: medical[base],
    crew_price: PRICES.recruit.crew,
    marine_price: PRICES.recruit.marines,
    treat_crew_price: PRICES.treat.crew,
    treat_marine_price: PRICES.treat.marines,
  }
}

/** Renders the pools of a base for get_base; no field if it lacks the service. */
export const renderPersonnelService = (view: WorldView, base: Eid) =>
  hasService(view, base, 'personnel') ? { personnel: renderPools(view, base) } : {}
