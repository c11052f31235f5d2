/**
 * The missions of a new pilot on maps of many seeds: each is within one jump of home. Source:
 * balance.md sections 7, 11.
 */
import { describe, expect, test } from 'vitest'
import { CHALLENGES } from '../../../core/catalog/arena.ts'
import {
  CREATURES,
  EMPIRE_IDS,
  GOODS,
  itemIndex,
  type MissionRow,
  missionTemplate,
} from '../../../core/catalog/index.ts'
import { NEW_PILOT_STEPS, newPilotStep } from '../../../core/catalog/missions-newcomer.ts'
import { RECIPES } from '../../../core/catalog/recipes.ts'
import { ORES } from '../../../core/catalog/regions.ts'
import type { Eid } from '../../../core/types.ts'
import { arenaOf } from '../../../systems/arena/model.ts'
import { capitalOf } from '../../../systems/base/model.ts'
import { findRecipe } from '../../../systems/craft/recipe-model.ts'
import { Herd } from '../../../systems/creature/state.ts'
import { bookOf } from '../../../systems/market/book-model.ts'
import { Book } from '../../../systems/market/state.ts'
import { depositsOf } from '../../../systems/mining/model.ts'
import { Deposit } from '../../../systems/mining/state.ts'
import { jumpsTo, systemOfBase } from '../../../systems/mission/model.ts'
import { boardOf } from '../../../systems/mission/offers-model.ts'
import { poisOf } from '../../../systems/travel/model.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
const STEPS = Array.from({ length: NEW_PILOT_STEPS }, (_, index) => index + 1)

function stepOf(empire: (typeof EMPIRE_IDS)[number], step: number): MissionRow {
  const row = missionTemplate(newPilotStep(empire, step))
  if (!row) throw new Error(`${empire} has no step ${step}`)
  return row
}

describe('the missions of a new pilot', () => {
  test.each(EMPIRE_IDS)('of %s ask for a starter ore and its product', (id) => {
    const [ore] = ORES[id].common
    expect(stepOf(id, 1).objectives).toEqual([{ type: 'mine_item', item: ore, quantity: 10 }])
    expect(stepOf(id, 2).objectives).toEqual([{ type: 'sell_item', item: ore, quantity: 10 }])
    const [product] = stepOf(id, 3).objectives
    const recipe = RECIPES.find(
      ({ inputs, outputs }) =>
        outputs[0]!.item_id === product.item && inputs.every(({ item_id }) => item_id === ore),
    )
    expect(findRecipe(recipe?.id ?? '')).toBeGreaterThanOrEqual(0)
    expect(recipe?.facility_only).toBeFalsy()
  })

  test('lead from each step to the next, each with its own dialog', () => {
    const lines = new Set<string>()
    for (const empire of EMPIRE_IDS) {
      for (const step of STEPS) {
        const row = stepOf(empire, step)
        expect(row.chainNext).toBe(newPilotStep(empire, step + 1))
        const before = step === 1 ? undefined : [newPilotStep(empire, step - 1)]
        expect(row.requires.completed).toEqual(before)
        for (const line of Object.values(row.dialog)) {
          expect(line).not.toMatch(/[{}]/)
          lines.add(line)
        }
      }
    }
    expect(lines.size).toBe(EMPIRE_IDS.length * NEW_PILOT_STEPS * 4)
  })
})

describe.each(SEEDS)('in the world of seed %i', (seed) => {
  const capitals = async () => {
    const small = await smallWorld({ seed })
    const { world } = small
    return EMPIRE_IDS.map((empire, index) => {
      const player = small.join(`Pilot ${index}`, empire)
      const base = capitalOf(world, index)
      const offers = new Map(
        boardOf(world, base).map((offer) => [offer.template.template_id, offer]),
      )
      return { world, empire, player, base, offers, system: systemOfBase(world, base) }
    })
  }

  test('every capital offers all steps within one jump', async () => {
    for (const { world, empire, base, offers } of await capitals()) {
      for (const step of STEPS) {
        const offer = offers.get(newPilotStep(empire, step))
        expect(offer, `${empire} ${step}`).toBeDefined()
        expect(offer?.jumps, `${empire} ${step}`).toBeLessThanOrEqual(1)
        const targets = (offer?.toSystem ?? []).filter((system) => system !== 0)
        expect(new Set(targets).size).toBe(targets.length)
        for (const system of targets) {
          expect(jumpsTo(world, base, system)).toBe(1)
          expect(world.read(StarSystem).police[system]).toBeGreaterThanOrEqual(85)
        }
      }
    }
  })

  test('every capital has the ore, the goods, the prey and the arena for the steps', async () => {
    const challenge = CHALLENGES.find(({ id }) => id === 'first_bout')
    if (!challenge) throw new Error('there is no first bout')
    for (const { world, empire, player, base, system } of await capitals()) {
      const ore = itemIndex(ORES[empire].common[0])
      const { item, unlimited } = world.read(Deposit)
      const belts = poisOf(world, system).filter((poi) => world.read(Poi).hidden[poi] === 0)
      const veins = belts.flatMap((poi) => depositsOf(world, poi))
      expect(veins.some((row) => item[row] === ore && unlimited[row] === 1)).toBe(true)
      const isStocked = (good: number): boolean => {
        const book = bookOf(world, base, good)
        return book !== 0 && world.read(Book).managed[book] !== 0
      }
      for (const id of [GOODS[ore].id, 'shield_booster_i', 'armor_plate_i', 'survey_scanner_i']) {
        expect(isStocked(itemIndex(id)), `${empire} ${id}`).toBe(true)
      }
      expect(easyHerds(world, system)).toBeGreaterThan(0)
      const arena = arenaOf(world, challenge, player)
      expect(world.read(Poi).system[arena]).toBe(system)
    }
  })
})

/** Returns the number of herds of tier 1 in a system. */
function easyHerds(world: SmallWorld['world'], system: Eid): number {
  const herds = world.read(Herd)
  let count = 0
  for (let herd = 1; herd <= world.highOf(Herd); herd++) {
    if (herds.system[herd] === system && CREATURES[herds.kind[herd]].tier === 1) count++
  }
  return count
}
