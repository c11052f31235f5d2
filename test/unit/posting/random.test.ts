/** Random posting, accepting, abandoning and cancelling conserves credits and goods. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { itemIndex } from '../../../core/catalog/index.ts'
import { unitsIn } from '../../../core/goods.ts'
import { balanceOf } from '../../../core/ledger.ts'
import type { Eid, World } from '../../../core/types.ts'
import { walletOf } from '../../../systems/account/model.ts'
import { storedUnits } from '../../../systems/cargo/model.ts'
import { missionId, missionsOf } from '../../../systems/mission/model.ts'
import { postingId, postingsAt } from '../../../systems/posting/model.ts'
import { Posting } from '../../../systems/posting/state.ts'
import { activeShip, cargoUnits } from '../../../systems/ship/model.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../../small-world.ts'
import { boards, load } from '../mission/stage.ts'
import { type Company, company, ORDER, storeUnits, treasury } from './scene.ts'

onSmallMap()

let small: SmallWorld
let world: World
let firm: Company
beforeAll(async () => {
  small = await smallWorld({ maxEntities: 2_000 })
  world = small.world
  firm = company(small, boards(world)[0], 2)
})

const people = (): Eid[] => [firm.leader, firm.recruit, firm.stranger]
const wallets = (): number =>
  people().reduce((sum, player) => sum + balanceOf(world, walletOf(world, player)), 0)
const ownedPlates = (): number => {
  const item = itemIndex('steel_plate')
  return people().reduce(
    (sum, player) =>
      sum +
      cargoUnits(world, activeShip(world, player), item) +
      storedUnits(world, player, firm.base, item),
    storeUnits(world, firm.faction, firm.base, 'steel_plate'),
  )
}

/** Runs one step of a kind, by a player, with a choice of its details. */
function runStep(kind: number, playerIndex: number, choice: number): void {
  const player = people()[playerIndex]
  const postings = postingsHere()
  const template_id =
    postings.length === 0 ? 'none' : postingId(world, postings[choice % postings.length])
  const [mission = 0] = missionsOf(world, player)
  const mission_id = mission === 0 ? 'none' : missionId(world, mission)
  const rewards = { credits: 100 * choice, items: { steel_plate: 1 + (choice % 3) } }
  const triggers = choice % 2 === 0 ? ['open_to_all'] : []
  const steps = [
    () => small.act(player, 'faction_post_mission', { ...ORDER, rewards, triggers }),
    () => small.act(player, 'accept_mission', { template_id }),
    () => small.act(player, 'abandon_mission', { mission_id }),
    () => small.act(player, 'complete_mission', { mission_id }),
    () => small.act(player, 'faction_cancel_mission', { template_id }),
  ]
  steps[kind]()
}

/** Returns all credits and all plates, in escrow and out of it. */
const totals = (): number[] => [
  treasury(world, firm.faction) + wallets() + escrowedCredits(),
  ownedPlates() + escrowedPlates(),
]

test('random steps conserve credits and goods', () => {
  for (const player of people()) load(world, player, 'bread', 12)
  const anyStep = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(5))
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 8, maxLength: 16 }), (steps) => {
      const before = totals()
      for (const [kind, playerIndex, choice] of steps) runStep(kind, playerIndex, choice)
      expect(totals()).toEqual(before)
    }),
    { numRuns: 6, seed: 7 },
  )
})

const postingsHere = (): readonly number[] => postingsAt(world, firm.base)
const escrowedCredits = (): number =>
  postingsHere().reduce((sum, row) => sum + balanceOf(world, world.read(Posting).escrow[row]), 0)
const escrowedPlates = (): number =>
  postingsHere().reduce((sum, row) => {
    const from = world.read(Posting).goods[row]
    return sum + (from === 0 ? 0 : unitsIn(world, from, itemIndex('steel_plate')))
  }, 0)
