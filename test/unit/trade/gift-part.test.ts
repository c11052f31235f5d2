/** What a trade gives away for nothing counts as a gift, however it is dressed up. */
import { beforeEach, expect, test } from 'vitest'
import type { Eid } from '../../../core/types.ts'
import { playerId } from '../../../systems/account/model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { freighter } from '../package/stage.ts'
import { done, fund, load, ORE, PLATE, refusal } from './stage.ts'

onSmallMap()

let small: SmallWorld
let giver: Eid
let taker: Eid

beforeEach(async () => {
  small = await smallWorld()
  const { world } = small
  for (const name of ['Giver', 'Taker']) freighter(world, small.join(name))
  ;[giver, taker] = small.players.slice(-2)
  for (const player of [giver, taker]) {
    fund(world, player, 1_000)
    load(world, player, ORE, 40)
  }
  load(world, taker, PLATE, 10)
})

const offer = (params: object): string => {
  const target_id = playerId(small.world, taker)
  return done(small, giver, 'trade_offer', { target_id, ...params }).trade_id as string
}
const ores = (quantity: number) => [{ item_id: 'iron_ore', quantity }]

test('credits for half as many credits are a gift of the rest', () => {
  const trade_id = offer({ offer_credits: 1_000, request_credits: 500 })
  expect(refusal(small, taker, 'trade_accept', { trade_id })).toBe('trading_restricted')
})

test('goods for half as many of the same are a gift of the rest', () => {
  const trade_id = offer({ offer_items: ores(40), request_items: ores(20) })
  expect(refusal(small, taker, 'trade_accept', { trade_id })).toBe('trading_restricted')
})

test('equal amounts on both sides are no gift, nor are goods for less than twice their worth', () => {
  const change = offer({ offer_credits: 500, request_credits: 500 })
  done(small, taker, 'trade_accept', { trade_id: change })
  const request_items = [{ item_id: 'steel_plate', quantity: 1 }]
  const fair = offer({ offer_credits: 150, request_credits: 100, request_items })
  done(small, taker, 'trade_accept', { trade_id: fair })
})
