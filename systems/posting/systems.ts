/**
 * Expiry of postings, their end with their faction, and their invariants. Source: factions.md
 * sections 3, 7, 12.
 */
import { assert } from '../../core/assert.ts'
import { fail } from '../../core/errors.ts'
import { contentsOf, GOODS_WRITES } from '../../core/goods.ts'
import { guard } from '../../core/guard.ts'
import { Account, balanceOf, canReceive } from '../../core/ledger.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/model.ts'
import { isStorageNearlyFull } from '../cargo/model.ts'
import { treasuryOf } from '../faction/model.ts'
import { disbanded, disbanding, Faction, FactionStore } from '../faction/state.ts'
import { failMission } from '../mission/rules.ts'
import { Mission } from '../mission/state.ts'
import { allPostingsOf, postingsAt, postingTemplate, postingText } from './model.ts'
import { closePosting, expirePostings, refundPosting } from './rules.ts'
import { POSTING_TEXTS, Posting } from './state.ts'

function checkPosting(view: WorldView, posting: Row): void {
  const { base, credits, escrow, expireTick, faction, goods, mission } = view.read(Posting)
  assert(view.read(Faction).alive[faction[posting]] === 1, `posting ${posting} has no faction`)
  assert(postingsAt(view, base[posting]).includes(posting), `posting ${posting} is not listed`)
  const held = balanceOf(view, escrow[posting])
  assert(held === credits[posting], `posting ${posting} pays ${credits[posting]}, holds ${held}`)
  const promised = Object.entries(postingText(view, posting).items)
  const stacks = goods[posting] === 0 ? [] : contentsOf(view, goods[posting])
  const heldUnits = stacks.reduce((sum, { units }) => sum + units, 0)
  const promisedUnits = promised.reduce((sum, [, units]) => sum + units, 0)
  assert(stacks.length === promised.length, `posting ${posting} lacks goods`)
  assert(heldUnits === promisedUnits, `posting ${posting} holds ${heldUnits} units`)
  const accepted = mission[posting]
  if (accepted !== 0) {
    const isLinked = view.read(Mission).posting[accepted] === posting
    assert(isLinked, `the mission of posting ${posting} belongs to another one`)
  } else assert(expireTick[posting] > view.tick, `posting ${posting} is over`)
  const title = postingTemplate(view, posting).title
  assert(title === postingText(view, posting).title, `posting ${posting} has another text`)
}

/** Checks every posting. */
export const postingsHold: CheckDef = {
  name: 'postings: the escrow is the reward, they are found at their base, one mission each',
  run(view, full) {
    if (!full || view.countOf(Posting) === 0) return
    const { alive } = view.read(Posting)
    for (let row = 1; row <= view.highOf(Posting); row++) {
      if (alive[row] === 1) checkPosting(view, row)
    }
    const texts = view.records(POSTING_TEXTS).size
    assert(texts === view.countOf(Posting), `${texts} postings have texts`)
  },
}

/** Expires postings in the first tick in which they can no longer be accepted. */
export const lapse: SystemDef = {
  name: 'posting.lapse',
  phase: 'produce',
  writes: [...GOODS_WRITES, Account, FactionStore, Posting],
  run: expirePostings,
}

/** Refuses to disband a faction whose refunds do not fit into the heir's wallet or the stores. */
export const rewardsFit = guard(disbanding, (view, { faction, heir }) => {
  const { credits, goods } = view.read(Posting)
  const open = allPostingsOf(view, faction)
  const held = balanceOf(view, treasuryOf(view, faction))
  const sum = open.reduce((all, row) => all + credits[row], held)
  if (!canReceive(view, walletOf(view, heir), sum)) return fail('amount_too_large')
  const isFull = open.some((row) => goods[row] !== 0) && isStorageNearlyFull(view)
  return isFull ? fail('limit_reached') : undefined
})

/** Refunds the rewards of a disbanded faction, and fails the missions accepted from it. */
export const endPostings = observe(disbanded, (world, { faction, heir }) => {
  for (const posting of allPostingsOf(world, faction)) {
    const mission = world.read(Posting).mission[posting]
    const { title } = postingTemplate(world, posting)
    if (mission !== 0)
      failMission(world, mission, `"${title}" has failed: its faction was disbanded.`)
    refundPosting(world, posting, heir, 'mission_lapsed')
    closePosting(world, posting)
  }
})
