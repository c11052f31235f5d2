/** Hulks that nobody flew. Source: balance.md section 8. */
import { beforeAll, describe, expect, test } from 'vitest'
import { GOODS, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import type { Eid, Row } from '../../../core/types.ts'
import { POPULATION } from '../../../systems/account/state.ts'
import { siteDue } from '../../../systems/salvage/derelict-systems.ts'
import { goodsOf, isDerelict, wrecksAt } from '../../../systems/salvage/model.ts'
import { Wreck } from '../../../systems/salvage/state.ts'
import { depthOf } from '../../../systems/travel/depth-model.ts'
import { Poi, StarSystem } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

const HOUR_TICKS = 360

let small: SmallWorld
beforeAll(async () => {
  small = await smallWorld({ maxEntities: 4_000 })
})

function derelicts(): Row[] {
  const { world } = small
  const found: Row[] = []
  for (let poi = 1; poi <= world.highOf(Poi); poi++) {
    found.push(...wrecksAt(world, poi).filter((wreck) => isDerelict(world, wreck)))
  }
  return found
}

describe('derelicts', () => {
  test('come to ten sites an hour where few play, and to more the more there are', () => {
    const { world } = small
    const count = (): number => {
      const sites: Eid[] = []
      for (let tick = 0; tick < HOUR_TICKS; tick++) {
        const site = siteDue(world, tick)
        if (site !== 0) sites.push(site)
      }
      expect(new Set(sites).size).toBe(sites.length)
      return sites.length
    }
    expect(count()).toBe(10)
    world.records(POPULATION).set('active', 100)
    expect(count()).toBe(40)
    world.records(POPULATION).set('active', 1_000)
    expect(count()).toBeGreaterThan(100)
    expect(count()).toBeLessThan(360)
    world.records(POPULATION).set('active', 0)
  })

  test('drift in debris and where there is no law, two at most, and are worth what they say', () => {
    const { world } = small
    small.ticks(HOUR_TICKS)
    const found = derelicts()
    expect(found.length).toBeGreaterThanOrEqual(9)
    const { poi, value, class: shipClass } = world.read(Wreck)
    const { system, class: kind } = world.read(Poi)
    for (const wreck of found) {
      const at = poi[wreck]
      const isDebris = world.texts.get(kind[at]) === 'debris'
      expect(isDebris || world.read(StarSystem).police[system[at]] === 0).toBe(true)
      expect(wrecksAt(world, at).length).toBeLessThanOrEqual(2)
      const cargo = goodsOf(world, wreck).map(({ item, units }) => GOODS[item].base_value * units)
      const worth = cargo.reduce((a, b) => a + b, value[wreck])
      const depth = depthOf(world, system[at])
      expect(worth).toBeGreaterThanOrEqual(300 * (1 + depth))
      expect(worth).toBeLessThanOrEqual(900 * (1 + depth))
      expect(SHIP_CLASSES[shipClass[wreck]].tier).toBe(1)
    }
  })

  test('come the same after a restart', async () => {
    const again = await small.reload()
    again.ticks(80)
    small.ticks(80)
    expect(again.hash()).toBe(small.hash())
  })
})
