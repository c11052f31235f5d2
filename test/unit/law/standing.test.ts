/** The daily change of standing, and the commands detention refuses. Source: factions.md 10. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { DAY_TICKS } from '../../../core/time.ts'
import type { Eid } from '../../../core/types.ts'
import { errorsOf } from '../../../net/command-view.ts'
import { reputationOf } from '../../../systems/account/model.ts'
import { EMPIRES_WIDTH, Player } from '../../../systems/account/state.ts'
import { AT_LIBERTY } from '../../../systems/law/needs.ts'
import { forgive } from '../../../systems/law/systems.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'

onSmallMap()

let small: SmallWorld
let ada: Eid
beforeAll(async () => {
  small = await smallWorld()
  ada = small.join('Ada', 'solarian')
})
beforeEach(() => {
  small.world.write(Player).citizenSinceMs[ada * EMPIRES_WIDTH] = 1
})

const [SOLARIAN, VOIDBORN, CRIMSON] = [0, 1, 2]
const setStanding = (empire: number, points: number): void => {
  small.world.write(Player).reputation[ada * EMPIRES_WIDTH + empire] = points
}
const standingWith = (empire: number): number => reputationOf(small.world, ada, empire)
/** Runs the change of standing for all ticks of a day: each tick updates other players. */
function passDay(): void {
  const before = small.world.tick
  for (let i = 0; i < DAY_TICKS; i++) {
    small.world.tick++
    forgive.run?.(small.world)
  }
  small.world.tick = before
}

test('standing moves a point a day, to 20 for citizens and 10 for others', () => {
  setStanding(SOLARIAN, 22)
  setStanding(VOIDBORN, 8)
  setStanding(CRIMSON, -100)
  const days = Array.from({ length: 3 }, () => {
    passDay()
    return [SOLARIAN, VOIDBORN, CRIMSON].map(standingWith)
  })
  expect(days).toEqual([
    [21, 9, -99],
    [20, 10, -98],
    [20, 10, -97],
  ])
})

test('standing falls towards 10 after the citizenship is renounced', () => {
  setStanding(SOLARIAN, 20)
  expect(small.act(ada, 'citizenship', { action: 'renounce', empire_id: 'solarian' }).ok).toBe(true)
  passDay()
  expect(standingWith(SOLARIAN)).toBe(19)
})

const codesOf = (command: string): readonly string[] => {
  const def = small.registry.commands.get(command)
  if (!def) throw new Error(`there is no command ${command}`)
  return errorsOf(def)
}

test('commands that are marked J in the specification can answer detained', () => {
  const rows = [
    'travel',
    'jump',
    'dock',
    'undock',
    'mine',
    'survey_system',
    'attack',
    'hunt',
    'arena',
    'buy',
    'sell',
    'create_buy_order',
    'create_sell_order',
    'modify_order',
    'faction_create_buy_order',
    'faction_create_sell_order',
    'list_ship_for_sale',
    'buy_listed_ship',
    'place_ship_buy_order',
    'sell_ship_to_order',
    'commission_ship',
    'accept_mission',
    'sell_wreck',
    'facility',
  ]
  expect(rows.filter((name) => !codesOf(name).includes('detained'))).toEqual([])
})

test('chat, trades between players, storage, cancels and prepayments need no liberty', () => {
  const rows = [
    'chat',
    'trade_offer',
    'trade_accept',
    'trade_decline',
    'trade_cancel',
    'deposit_items',
    'withdraw_items',
    'view_storage',
    'send_gift',
    'cancel_order',
    'cancel_ship_listing',
    'cancel_commission',
    'prepay_tax',
    'faction_prepay_tax',
    'citizenship',
    'petition',
    'create_note',
    'delete_note',
    'faction_rooms',
  ]
  const needsOf = (name: string): readonly unknown[] => {
    const def = small.registry.commands.get(name)
    return def && 'needs' in def ? def.needs : []
  }
  expect(rows.filter((name) => needsOf(name).includes(AT_LIBERTY))).toEqual([])
})
