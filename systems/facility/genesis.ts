/**
 * What the stations of a new world own: their services, power, air, and the industry their level
 * and place give reason for. Few a base, all read off the catalogue.
 */
import { FACILITIES, type FacilityRow } from '../../core/catalog/index.ts'
import { FACILITIES_FOUNDED_PER_BASE_MAX } from '../../core/limits.ts'
import { hash32 } from '../../core/rng.ts'
import type { Row, World } from '../../core/types.ts'
import { offersService } from '../base/model.ts'
import { Base, SERVICES } from '../base/state.ts'
import { openCitizenPool } from './rules.ts'
import { Facility, OF_STATION, ONLINE, PUBLIC } from './state.ts'
import { addFacility } from './store-rules.ts'

/** Level of a base from which it has logistics and a recycler of its own. */
const LARGE_LEVEL = 3
/** Highest tier a station builds of what players may rent: better ones are left to them. */
const RENTED_TIER_MAX = 2

const STATION: { kind: number; player: number; faction: number } = {
  kind: OF_STATION,
  player: 0,
  faction: 0,
}

type Fits = (type: FacilityRow) => boolean

/** Index of the highest type that fits, at most of this tier; -1 none. Of several the first. */
function best(tierMax: number, fits: Fits): number {
  let found = -1
  for (const [index, type] of FACILITIES.entries()) {
    if (type.level > tierMax || !fits(type)) continue
    if (found < 0 || type.level > FACILITIES[found].level) found = index
  }
  return found
}

const isOpen: Fits = ({ category }) => category !== 'faction' && category !== 'personal'
const isProduction: Fits = (type) =>
  type.category === 'production' && !type.is_recycler && !type.logistics

/** Types a station of this level begins with, in the order of their building. */
export function foundedTypes(world: World, base: Row): number[] {
  const { level } = world.read(Base)
  const tier = Math.max(1, level[base] - 1)
  const rented = Math.min(tier, RENTED_TIER_MAX)
  const found = [
    best(tier, (type) => isOpen(type) && type.power_supply > 0),
    best(tier, (type) => isOpen(type) && type.life_support_supply > 0),
    ...SERVICES.filter((service) => offersService(world, base, service)).map((service) =>
      best(tier, (type) => type.category === 'service' && type.service === service),
    ),
  ]
  if (level[base] >= LARGE_LEVEL) {
    found.push(best(rented, (type) => isOpen(type) && type.logistics === true))
    found.push(best(rented, (type) => isOpen(type) && type.is_recycler === true))
  }
  if (offersService(world, base, 'crafting')) found.push(...industry(world, base, level[base]))
  return found.filter((type) => type >= 0).slice(0, FACILITIES_FOUNDED_PER_BASE_MAX)
}

/** Production of the place: as many lines as its level, another choice at every base. */
function industry(world: World, base: Row, count: number): number[] {
  const lines = [...FACILITIES.keys()].filter(
    (index) => FACILITIES[index].level === 1 && isProduction(FACILITIES[index]),
  )
  if (lines.length === 0) return []
  const start = hash32(world.seed, world.read(Base).poi[base], count) % lines.length
  const chosen = Math.min(count, lines.length)
  return Array.from({ length: chosen }, (_, i) => lines[(start + i) % lines.length])
}

/** Founds the facilities of every base of a new world. */
export function foundFacilities(world: World): void {
  const { alive } = world.read(Base)
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 0) continue
    openCitizenPool(world, base)
    for (const type of foundedTypes(world, base)) {
      const row = addFacility(world, { type, base, owner: STATION, status: ONLINE })
      world.write(Facility).access[row] = PUBLIC
    }
  }
}
