/** Boarding requests that compete for a hull: initiative decides which of them is granted. */
import { beforeEach, describe, expect, test } from 'vitest'
import { Boarding, Link } from '../../../systems/boarding/state.ts'
import { combatantId } from '../../../systems/combat/model.ts'
import { Participant } from '../../../systems/combat/state.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { onSmallMap } from '../../small-world.ts'
import { type Stage, stages } from './stage.ts'

onSmallMap()

const freshStage = await stages()
let scene: Stage

beforeEach(async () => {
  scene = await freshStage()
})

interface Request {
  /** Indices of ships: even ones fight on side 1, odd ones on side 2. */
  readonly from: number
  readonly to: number
  readonly speed: number
  readonly latch: number
}

interface Case {
  readonly title: string
  readonly requests: readonly Request[]
  /** Boarders whose request is granted, by index. */
  readonly granted: readonly number[]
}

const request = (from: number, to: number, speed = 3, latch = 2): Request => ({
  from,
  to,
  speed,
  latch,
})

const CASES: readonly Case[] = [
  {
    title: 'one request is granted',
    requests: [request(0, 1)],
    granted: [0],
  },
  {
    title: 'of two boarders of one hull the faster is granted',
    requests: [request(0, 1, 2), request(2, 1, 4)],
    granted: [2],
  },
  {
    title: 'at equal speed the stronger latch is granted',
    requests: [request(0, 1, 3, 1), request(2, 1, 3, 4)],
    granted: [2],
  },
  {
    title: 'speed counts before latch strength',
    requests: [request(0, 1, 3, 9), request(2, 1, 4, 0)],
    granted: [2],
  },
  {
    title: 'the boarder with the lower number is granted if all else is equal',
    requests: [request(2, 1), request(0, 1)],
    granted: [0],
  },
  {
    title: 'of two ships that board each other the faster is granted',
    requests: [request(0, 1, 3), request(1, 0, 5)],
    granted: [1],
  },
  {
    title: 'in a chain every second boarder is granted if the first is the fastest',
    requests: [request(0, 1, 6), request(1, 2, 5), request(2, 3, 4)],
    granted: [0, 2],
  },
  {
    title: 'in a chain the middle boarder excludes both neighbours if it is the fastest',
    requests: [request(0, 1, 3), request(1, 2, 6), request(2, 3, 5)],
    granted: [1],
  },
  {
    title: 'requests for different hulls are all granted',
    requests: [request(0, 1), request(2, 3), request(4, 5)],
    granted: [0, 2, 4],
  },
  {
    title: 'three boarders of one hull do not affect the boarding of another hull',
    requests: [request(0, 1, 3), request(2, 1, 3, 5), request(4, 1, 2), request(6, 3, 1)],
    granted: [2, 6],
  },
]

describe('contested requests', () => {
  test.each(CASES)('$title', ({ requests, granted }) => {
    const ships = Array.from({ length: 7 }, (_, i) =>
      scene.enter({ side: i % 2 === 0 ? 1 : 2, marines: 10 }),
    )
    const { world } = scene.small
    const columns = world.write(Boarding)
    for (const { from, to, speed, latch } of requests) {
      world.write(Participant).effectiveSpeed[ships[from]] = speed
      columns.latchStrength[ships[from]] = latch
      expect(scene.board(ships[from], ships[to], 5)).toBeUndefined()
    }
    const notes = scene.round()
    const boarders = ships.flatMap((row, i) => {
      const link = scene.linkOf(row)
      return link !== 0 && world.read(Link).attacker[link] === row ? [i] : []
    })
    expect(boarders).toEqual(granted)
    const losers = requests.filter(({ from }) => !granted.includes(from))
    const rejected = notes.filter(({ event }) => event === 'boarding_rejected')
    expect(rejected).toHaveLength(losers.length)
    for (const { from, to } of losers) {
      expect(scene.stanceOf(ships[from])).toBe('fire')
      expect(rejected).toContainEqual({
        event: 'boarding_rejected',
        attacker_id: combatantId(world, ships[from]),
        target_id: combatantId(world, ships[to]),
        reason: 'contested_same_tick',
      })
    }
  })

  test('a request for a hull that is already boarded is rejected', () => {
    const [first, target, late] = ([1, 2, 1] as const).map((side) =>
      scene.enter({ side, marines: 10 }),
    )
    scene.board(first, target, 5)
    scene.round()
    scene.board(late, target, 5)
    const [note] = scene.round()
    expect(note).toMatchObject({ event: 'boarding_rejected', reason: 'already_linked' })
    expect(scene.stanceOf(late)).toBe('fire')
    expect(scene.linkOf(late)).toBe(0)
  })

  test('a request is rejected if the attacker loses the last marine before the tick', () => {
    const [attacker, target] = ([1, 2] as const).map((side) => scene.enter({ side, marines: 1 }))
    scene.board(attacker, target, 1)
    scene.small.world.write(Ship).marinesFit[scene.shipOf(attacker)] = 0
    expect(scene.round()[0]).toMatchObject({ event: 'boarding_rejected', reason: 'no_marines' })
  })

  test('a later order of another stance withdraws the request', () => {
    const [attacker, target] = ([1, 2] as const).map((side) => scene.enter({ side, marines: 1 }))
    scene.board(attacker, target, 1)
    scene.order(attacker, 'brace')
    expect(scene.round()).toEqual([])
    expect(scene.linkOf(attacker)).toBe(0)
  })
})
