/** Weapons, the order of hits, their lasting effects: steps H4 to H6 of a tick, by the kernel. */
import { describe, expect, test } from 'vitest'
import { hash32, hashNext, hashPrefix, hashText } from '../../../core/rng.ts'
import type { Row } from '../../../core/types.ts'
import { hitRoll, ROLL } from '../../../systems/combat/damage-kernels.ts'
import {
  ATTACK_FLAGS,
  Attack,
  COMBAT_SPECIALS,
  DAMAGE_TYPES,
  FATES,
  GUNS_MAX,
  Participant,
  ShipCombat,
  STANCES,
  Turn,
} from '../../../systems/combat/state.ts'
import { Module } from '../../../systems/ship/state.ts'
import { type GunFigures, type Ring, ringOf, type ShipFigures } from './ring.ts'

const TICKS_MAX = 2_000

/** Makes a duel in the first tick in which all entries hit. */
function duel(guns: readonly GunFigures[], target: ShipFigures = {}, shooter: ShipFigures = {}) {
  for (let tick = 1; tick < TICKS_MAX; tick++) {
    const ring = ringOf()
    ring.load(1, { burnPct: 10, burnTicks: 3, special: 1 })
    ring.load(2, { meltPct: 30, meltTicks: 2, special: 1 })
    ring.load(3, { disruptTicks: 5, special: 1 })
    ring.load(4, { splashPct: 25, special: 1 })
    ring.world.tick = tick
    const attacker = ring.join({ guns, ...shooter })
    const row = ring.join({ side: 2, kind: 'pirate', ...target })
    ring.maneuver()
    ring.fire()
    const { hits, fired } = ring.world.read(Attack)
    const volleys = ring.attacks().filter((entry) => fired[entry] !== 0)
    const isWhole = volleys.length > 0 && volleys.every((entry) => hits[entry] === fired[entry])
    if (isWhole) return { ring, attacker, target: row, part: ring.world.read(Participant) }
  }
  throw new Error('there is no tick in which everything hits')
}

/** Runs further ticks in which these participants have no guns. */
function tickUnarmed(ring: Ring, rows: readonly Row[], ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    for (const row of rows) ring.world.write(Participant).guns[row] = 0
    ring.tick()
  }
}

describe('a weapon', () => {
  test('hits by a roll that is a hash of seed, tick, ship and slot', () => {
    const ring = ringOf({ seed: 7 })
    const row = ring.join({ guns: [{}, {}, {}, {}] })
    ring.join({ side: 2 })
    let mixed = 0
    for (let i = 0; i < 40; i++) {
      ring.tick()
      const [entry] = ring.attacks()
      const { hits } = ring.world.read(Attack)
      const seq = ring.world.read(Participant).seq[row]
      const rolls = [0, 1, 2, 3].map((gun) => hitRoll(hash32(7, ring.world.tick, ROLL, seq, gun)))
      // 90 % at no distance
      const wanted = rolls.reduce((bits, roll, gun) => (roll < 900 ? bits | (1 << gun) : bits), 0)
      expect(hits[entry]).toBe(wanted)
      if (wanted !== 15 && wanted !== 0) mixed++
    }
    expect(mixed).toBeGreaterThan(3)
  })

  test.each([
    [0, 900],
    [1, 800],
    [2, 650],
    [3, 500],
    [4, 350],
    [5, 220],
    [6, 120],
  ])('at distance %i hits with %i per mille', (distance, chance) => {
    const ring = ringOf()
    const guns = Array.from({ length: GUNS_MAX }, () => ({}))
    const inner = Math.min(3, distance)
    for (let i = 0; i < 20; i++) ring.join({ guns, ring: distance - inner })
    const target = { hull: 2_000_000, hullMax: 2_000_000 }
    ring.join({ side: 2, ring: inner, figures: { pilotless: 1 }, ship: target })
    let hits = 0
    for (let i = 0; i < 20; i++) {
      ring.tick()
      for (const entry of ring.attacks()) {
        for (let bits = ring.world.read(Attack).hits[entry]; bits !== 0; bits &= bits - 1) hits++
      }
    }
    // 4,000 shots: four standard deviations are 3 %
    expect(Math.abs(hits / 4_000 - chance / 1_000)).toBeLessThan(0.035)
  })

  test('does not fire beyond its reach, nor in a stance other than fire', () => {
    const ring = ringOf()
    ring.join({ guns: [{ reach: 2 }], ring: 1 })
    ring.join({ side: 2, ring: 2, stance: 'brace', guns: [{}] })
    ring.tick()
    expect(ring.attacks()).toEqual([])
  })

  test('fires once in `cooldown` ticks', () => {
    const ring = ringOf()
    ring.join({ guns: [{ period: 3 }] })
    ring.join({ side: 2 })
    const fired: number[] = []
    for (let i = 0; i < 9; i++) {
      ring.tick()
      fired.push(ring.attacks().length)
    }
    expect(fired).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0])
  })

  test('cools down while its ship does not fire', () => {
    const ring = ringOf()
    const row = ring.join({ guns: [{ period: 4 }] })
    ring.join({ side: 2 })
    ring.tick()
    const { stance, gunCooldown } = ring.world.write(Participant)
    stance[row] = STANCES.indexOf('brace')
    for (let i = 0; i < 3; i++) ring.tick()
    expect(gunCooldown[row * GUNS_MAX]).toBe(0)
    stance[row] = STANCES.indexOf('fire')
    ring.tick()
    expect(ring.attacks()).toHaveLength(1)
  })

  test('uses a round for each shot and does not fire without one', () => {
    const ring = ringOf()
    const row = ring.join({ guns: [{ load: 1, rounds: 3 }] })
    ring.join({ side: 2 })
    const module = ring.world.read(Participant).gunModule[row * GUNS_MAX]
    const left: number[] = []
    const fired: number[] = []
    for (let i = 0; i < 5; i++) {
      ring.tick()
      left.push(ring.world.read(Module).ammo[module])
      fired.push(ring.attacks().length)
    }
    expect(left).toEqual([2, 1, 0, 0, 0])
    expect(fired).toEqual([1, 1, 1, 0, 0])
    ring.world.write(Module).ammo[module] = 8
    ring.tick()
    expect(ring.attacks()).toHaveLength(1)
  })
})

describe('hits of a tick', () => {
  test('are applied in a hashed order, and the first lethal one gets the kill', () => {
    const killers = new Set<Row>()
    for (let tick = 1; tick < 60; tick++) {
      const ring = ringOf()
      ring.world.tick = tick
      const rows = [1, 2, 3, 4].map(() => ring.join({ guns: [{ damage: 100 }] }))
      const target = ring.join({ side: 2, ship: { hull: 60 } })
      ring.maneuver()
      ring.fire()
      const { killer } = ring.world.read(Participant)
      const { flags, attacker, hullHit } = ring.world.read(Attack)
      const { seq } = ring.world.read(Participant)
      if (killer[target] === 0) continue
      const order = (row: Row): number =>
        hashNext(hashPrefix(1, tick, hashText('combat.order')), seq[row]) >>> 0
      const hit = ring.attacks().filter((entry) => (flags[entry] & ATTACK_FLAGS.hit) !== 0)
      const [first] = hit.map((entry) => attacker[entry]).sort((a, b) => order(a) - order(b))
      expect(killer[target]).toBe(first)
      const kills = ring.attacks().filter((entry) => (flags[entry] & ATTACK_FLAGS.kill) !== 0)
      expect(kills.map((entry) => [attacker[entry], hullHit[entry]])).toEqual([[first, 60]])
      killers.add(rows.indexOf(first))
    }
    expect(killers.size).toBe(4)
  })

  test('include those of a ship destroyed in the same tick', () => {
    const ring = ringOf()
    const one = ring.join({ guns: [{ damage: 5_000 }, { damage: 5_000 }, { damage: 5_000 }] })
    const two = ring.join({
      side: 2,
      guns: [{ damage: 5_000 }, { damage: 5_000 }, { damage: 5_000 }],
    })
    ring.tick()
    const { fate } = ring.world.read(Participant)
    expect([FATES[fate[one]], FATES[fate[two]]]).toEqual(['destroyed', 'destroyed'])
  })

  test('flag attacker and target as aggressors for 30 ticks', () => {
    const { ring, attacker, target, part } = duel([{}])
    const { aggressiveUntil } = ring.world.read(ShipCombat)
    for (const row of [attacker, target]) {
      expect(aggressiveUntil[part.ship[row]]).toBe(ring.world.tick + 30)
    }
  })

  test('a lethal hit makes a ship with a warp stabilizer escape with one point of hull', () => {
    const specials = 1 << COMBAT_SPECIALS.indexOf('emergency_warp_stabilizer')
    const { ring, target, part } = duel([{ damage: 5_000 }], { figures: { specials } })
    expect(FATES[part.fate[target]]).toBe('emergency_warp')
    expect([ring.hull(target), part.killer[target]]).toEqual([1, 0])
    ring.mend()
    expect(FATES[part.fate[target]]).toBe('emergency_warp')
  })
})

describe('lasting effects of a hit', () => {
  test('EM disrupts for three ticks and does not add up', () => {
    const { ring, attacker, target, part } = duel([{ type: 'em' }], { figures: { speed: 5 } })
    expect(part.emTicks[target]).toBe(3)
    const speeds: number[] = []
    for (let i = 0; i < 4; i++) {
      tickUnarmed(ring, [attacker], 1)
      speeds.push(part.effectiveSpeed[target])
    }
    // 5 · 0.7 = 3.5
    expect(speeds).toEqual([3, 3, 3, 5])
  })

  test('ammunition may disrupt longer than EM', () => {
    const { target, part } = duel([{ load: 3 }])
    expect(part.emTicks[target]).toBe(5)
  })

  test('fire burns the hull past shield and armour and is credited to its attacker', () => {
    const { ring, attacker, target, part } = duel([{ damage: 200, load: 1 }], {
      ship: { shield: 900, shieldMax: 900, armor: 100 },
    })
    expect([part.burnDamage[target], part.burnTicks[target]]).toEqual([20, 3])
    const hulls: number[] = []
    const burns: unknown[] = []
    for (let i = 0; i < 4; i++) {
      tickUnarmed(ring, [attacker], 1)
      hulls.push(ring.hull(target))
      const columns = ring.world.read(Attack)
      for (const entry of ring.attacks()) {
        const isBurn = (columns.flags[entry] & ATTACK_FLAGS.burn) !== 0
        burns.push([isBurn, columns.attacker[entry], DAMAGE_TYPES[columns.type[entry]]])
      }
    }
    expect(hulls).toEqual([980, 960, 940, 940])
    expect(burns).toEqual([1, 2, 3].map(() => [true, attacker, 'thermal']))
    expect(part.dealt[attacker]).toBe(200 + 60)
    expect(part.burnBy[target]).toBe(0)
  })

  test('a fire can kill, and the kill is credited to the attacker who lit it', () => {
    const { ring, attacker, target, part } = duel([{ damage: 900, load: 1 }], {
      ship: { hull: 950 },
    })
    expect(ring.hull(target)).toBe(50)
    tickUnarmed(ring, [attacker], 1)
    expect(FATES[part.fate[target]]).toBe('destroyed')
    expect(part.killer[target]).toBe(attacker)
  })

  test('a weaker fire does not replace a stronger one', () => {
    const { ring, attacker, target, part } = duel([{ damage: 200, load: 1 }])
    ring.world.write(Participant).burnDamage[target] = 50
    ring.world.write(Participant).burnTicks[target] = 2
    for (let i = 0; i < 20 && part.burnDamage[target] === 50; i++) {
      ring.world.write(Participant).burnTicks[target] = 9
      ring.tick()
    }
    expect([part.burnDamage[target], part.burnTicks[target]]).toEqual([50, 8])
    expect(part.dealt[attacker]).toBeGreaterThan(0)
  })

  test('melted armour recovers after the ticks of its ammunition', () => {
    const { ring, attacker, target, part } = duel([{ load: 2 }], { ship: { armor: 40 } })
    const melted: number[] = []
    for (let i = 0; i < 3; i++) {
      melted.push(part.meltPct[target])
      tickUnarmed(ring, [attacker], 1)
    }
    expect(melted).toEqual([30, 30, 0])
  })
})

describe('splash', () => {
  test('hits other enemies in the ring of the target, and nobody else', () => {
    for (let tick = 1; tick < TICKS_MAX; tick++) {
      const ring = ringOf()
      ring.world.tick = tick
      ring.load(4, { splashPct: 25, special: 1 })
      const attacker = ring.join({ guns: [{ damage: 100, load: 4 }] })
      const friend = ring.join({ ring: 1 })
      const target = ring.join({ side: 2, ring: 1, resist: { kinetic: 20 } })
      const near = ring.join({ side: 2, ring: 1, ship: { shield: 5, shieldMax: 5, armor: 2 } })
      const far = ring.join({ side: 2, ring: 2 })
      ring.world.write(Participant).target[attacker] = target
      ring.maneuver()
      ring.fire()
      const { flags, target: targets, final } = ring.world.read(Attack)
      const [volley, splash, ...others] = ring.attacks()
      if ((flags[volley] & ATTACK_FLAGS.hit) === 0) continue
      // 100 · 0.8 = 80, a quarter is 20: the shield takes 5, the armour 3 of the rest.
      expect([targets[splash], final[splash]]).toEqual([near, 20])
      expect((flags[splash] & ATTACK_FLAGS.splash) !== 0).toBe(true)
      expect(others).toEqual([])
      expect([ring.hull(target), ring.shield(near), ring.hull(near)]).toEqual([920, 0, 988])
      expect([ring.hull(friend), ring.hull(far)]).toEqual([1_000, 1_000])
      expect(ring.world.read(Participant).dealt[attacker]).toBe(97)
      return
    }
    throw new Error('nothing ever hits')
  })

  test('hits at most eight ships', () => {
    for (let tick = 1; tick < TICKS_MAX; tick++) {
      const ring = ringOf()
      ring.world.tick = tick
      ring.load(4, { splashPct: 25, special: 1 })
      ring.join({ guns: [{ damage: 100, load: 4 }] })
      for (let i = 0; i < 20; i++) ring.join({ side: 2 })
      ring.maneuver()
      ring.fire()
      const { flags } = ring.world.read(Attack)
      const [volley, ...splashes] = ring.attacks()
      if ((flags[volley] & ATTACK_FLAGS.hit) === 0) continue
      expect(splashes).toHaveLength(8)
      return
    }
    throw new Error('nothing ever hits')
  })
})

describe('experience counters', () => {
  test('record damage, volleys and hits on NPCs', () => {
    const { ring, attacker, part } = duel([{ damage: 100 }])
    const { volleys, scores } = ring.world.read(Turn)
    // Each participant has two counters: against NPCs and against players.
    const npc = 2 * attacker
    const pvp = npc + 1
    expect([part.xpDealt[npc], part.xpDealt[pvp]]).toEqual([100, 0])
    expect([volleys[npc], volleys[pvp], scores[npc], scores[pvp]]).toEqual([1, 0, 1, 0])
  })

  test('are separate for fights between players, for attacker and target', () => {
    const { attacker, target, part } = duel([{ damage: 100 }], {
      kind: 'player',
      ship: { shield: 40, shieldMax: 40 },
    })
    expect(part.xpDealt[2 * attacker + 1]).toBe(100)
    expect([part.xpShield[2 * target + 1], part.xpHull[2 * target + 1]]).toEqual([40, 60])
    expect([part.xpShield[2 * target], part.xpHull[2 * target]]).toEqual([0, 0])
  })
})
