/** Casualties of weapon fire among crew and marines. Source: combat.md section 9. */
import { beforeEach, describe, expect, test } from 'vitest'
import { deathPermille, exposure } from '../../../systems/boarding/assault-kernels.ts'
import { Link } from '../../../systems/boarding/state.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { recompute } from '../../../systems/ship/rules.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Stage, stages } from './stage.ts'

onSmallMap()

const freshStage = await stages()
let scene: Stage

beforeEach(async () => {
  scene = await freshStage()
})

describe('exposure', () => {
  test.each([
    // Points hit, hull left, hull maximum, fit people, and the exposure as parts of 5,000.
    [10, 90, 100, 20, 10 * 10 * 20],
    [50, 50, 100, 20, 50 * 50 * 20],
    [100, 1, 100, 20, 100 * 99 * 20],
    [500, 1, 100, 20, 100 * 99 * 20],
    [1, 199, 200, 20, 0],
    [3, 100, 200, 7, 1 * 50 * 7],
    [40, 100, 100, 20, 0],
    [40, 60, 100, 0, 0],
  ])(
    'of %i points hit, %i of %i left and %i people is %i of 5,000',
    (hit, hull, hullMax, fit, expected) => {
      expect(exposure(hit, hull, hullMax, fit)).toBe(expected)
    },
  )

  test('three in ten casualties die, fewer with a hospital', () => {
    expect([0, 20, 50, 100].map(deathPermille)).toEqual([300, 240, 150, 0])
  })
})

const total = (row: number) => {
  const { crew, hurt, marines, hurtMarines } = scene.people(row)
  return { fit: crew + marines, hurt: hurt + hurtMarines }
}

describe('weapon fire that reaches the hull', () => {
  test('hits people as often as the exposure predicts', () => {
    const [attacker, target] = ([1, 2] as const).map((side) => scene.enter({ side }))
    const ship = scene.shipOf(target)
    const { world } = scene.small
    const tenth = Math.ceil(world.read(Ship).hullMax[ship] / 10)
    let hits = 0
    for (let i = 0; i < 200; i++) {
      const columns = world.write(Ship)
      columns.crewFit[ship] = 20
      columns.crewInjured[ship] = 0
      columns.hull[ship] = Math.ceil(columns.hullMax[ship] * 0.9) + tenth
      recompute(world, ship)
      scene.round({ attacker, target, hull: tenth })
      hits += 20 - scene.people(target).crew
    }
    // A tenth of the hull at 90 %, twenty people: n = 10·10·20 = 2000 of 5000.
    expect(hits).toBeGreaterThan(60)
    expect(hits).toBeLessThan(100)
  })

  test('lowers the number of fit people, injures some and never adds any', () => {
    const [attacker, target] = ([1, 2] as const).map((side) => scene.enter({ side, marines: 10 }))
    const hull = scene.small.world.read(Ship).hullMax[scene.shipOf(target)]
    for (let i = 0; i < 8; i++) {
      const before = total(target)
      scene.round({ attacker, target, hull: Math.trunc(hull / 9) })
      const after = total(target)
      expect(after.fit).toBeLessThanOrEqual(before.fit)
      expect(after.hurt).toBeGreaterThanOrEqual(before.hurt)
      expect(after.fit + after.hurt).toBeLessThanOrEqual(before.fit + before.hurt)
    }
    expect(total(target).fit).toBeLessThan(30)
    expect(total(target).hurt).toBeGreaterThan(0)
  })

  test('slows a ship that it leaves short of crew', () => {
    const [attacker, target] = ([1, 2] as const).map((side) =>
      scene.enter({ side, crew: 6, speed: 4 }),
    )
    const { world } = scene.small
    const ship = scene.shipOf(target)
    const hull = world.read(Ship).hullMax[ship]
    for (let i = 0; i < 8; i++) scene.round({ attacker, target, hull: Math.trunc(hull / 9) })
    const { crewEffPct, speed, personnelVersion } = world.read(Ship)
    const [efficiency, pace] = [crewEffPct[ship], speed[ship]]
    expect(efficiency).toBeLessThan(100)
    expect(personnelVersion[ship]).toBeGreaterThan(0)
    expect(world.read(Participant).speed[target]).toBe(pace)
    recompute(world, ship)
    expect([crewEffPct[ship], speed[ship]]).toEqual([efficiency, pace])
  })

  test('never kills the last crew member', () => {
    const [attacker, target] = ([1, 2] as const).map((side) =>
      scene.enter({ side, crew: 1, marines: 0 }),
    )
    const { world } = scene.small
    const ship = scene.shipOf(target)
    for (let i = 0; i < 60; i++) {
      world.write(Ship).hull[ship] = world.read(Ship).hullMax[ship]
      scene.round({ attacker, target, hull: world.read(Ship).hullMax[ship] - 1 })
    }
    expect(scene.people(target)).toMatchObject({ crew: 0, hurt: 1 })
  })

  test('injures nobody through a shield or by burning', () => {
    const [attacker, target] = ([1, 2] as const).map((side) => scene.enter({ side }))
    const hull = scene.small.world.read(Ship).hullMax[scene.shipOf(target)]
    scene.round({ attacker, target, hull: hull - 1, burn: true })
    scene.round({ attacker, target, hull: 0 })
    expect(scene.people(target)).toMatchObject({ crew: 20, hurt: 0 })
  })

  test('does not reach marines who fight aboard another ship', () => {
    const [attacker, target] = ([1, 2] as const).map((side) =>
      scene.enter({ side, crew: 0, marines: 20 }),
    )
    scene.board(attacker, target, 20)
    scene.round()
    scene.small.world.write(Link).progress[scene.linkOf(attacker)] = 99
    scene.round()
    const hull = scene.small.world.read(Ship).hullMax[scene.shipOf(attacker)]
    const sent = scene.small.world.read(Link).committed[scene.linkOf(attacker)]
    expect(scene.people(attacker).marines).toBe(sent)
    const before = scene.people(target)
    scene.round({ attacker: target, target: attacker, hull: hull - 1 })
    const lost = sent - scene.people(attacker).marines
    // Only the defenders' share: (3·fit)·120/100·k/30.
    const maximum = Math.trunc((Math.trunc((3 * before.marines * 120) / 100) * 1200) / 30_000)
    expect(lost).toBeLessThanOrEqual(Math.max(1, maximum))
  })

  test('hits marines who wait to board, who are then missing from the boarding', () => {
    const attacker = scene.enter({ side: 1, crew: 0, marines: 4 })
    const target = scene.enter({ side: 2, marines: 4 })
    scene.board(attacker, target, 4)
    scene.round()
    const hull = scene.small.world.read(Ship).hullMax[scene.shipOf(attacker)]
    for (let i = 0; i < 6 && scene.linkOf(attacker) !== 0; i++) {
      scene.round({ attacker: target, target: attacker, hull: Math.trunc(hull / 7) })
      const { committed } = scene.small.world.read(Link)
      const link = scene.linkOf(attacker)
      if (link !== 0) expect(committed[link]).toBe(scene.people(attacker).marines)
    }
    expect(scene.people(attacker).marines).toBeLessThan(4)
  })

  test('kills fewer of a side that has a hospital', () => {
    const deaths = (modules: string[]) => {
      const attacker = scene.enter({ side: 1 })
      const target = scene.enter({ side: 2, crew: 20 })
      scene.enter({ side: 2, modules })
      const { world } = scene.small
      const ship = scene.shipOf(target)
      let dead = 0
      for (let i = 0; i < 60; i++) {
        const columns = world.write(Ship)
        columns.crewFit[ship] = 20
        columns.crewInjured[ship] = 0
        columns.hull[ship] = columns.hullMax[ship]
        recompute(world, ship)
        scene.round({ attacker, target, hull: Math.trunc(columns.hullMax[ship] * 0.9) })
        dead += 20 - scene.people(target).crew - scene.people(target).hurt
      }
      return dead
    }
    const without = deaths([])
    expect(deaths(['field_hospital'])).toBeLessThan(without)
  })
})
