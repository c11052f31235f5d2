/** Invariants of postings. Source: factions.md section 12. */
import { assert } from '../../core/assert.ts'
import { contentsOf } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import type { CheckDef } from '../../core/registry.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Faction } from '../faction/columns.ts'
import { Mission } from '../mission/columns.ts'
import { POSTING_TEXTS, Posting } from './columns.ts'
import { postingsAt, postingTemplate, postingText } from './rules.ts'

function checkPosting(view: WorldView, posting: Row): void {
  const { base, credits, escrow, expireTick, faction, goods, mission } = view.read(Posting)
  assert(view.read(Faction).alive[faction[posting]] === 1, `posting ${posting} is of no faction`)
  assert(postingsAt(view, base[posting]).includes(posting), `posting ${posting} is not listed`)
  const held = balanceOf(view, escrow[posting])
  assert(held === credits[posting], `posting ${posting} pays ${credits[posting]}, holds ${held}`)
  const promised = Object.entries(postingText(view, posting).items)
  const stacks = goods[posting] === 0 ? [] : contentsOf(view, goods[posting])
  const units = (rows: readonly number[]): number => rows.reduce((sum, n) => sum + n, 0)
  const has = units(stacks.map((stack) => stack.units))
  assert(stacks.length === promised.length, `posting ${posting} lacks goods`)
  assert(has === units(promised.map(([, n]) => n)), `posting ${posting} holds ${has} units`)
  const at = mission[posting]
  if (at !== 0) assert(view.read(Mission).posting[at] === posting, `posting ${posting}: who?`)
  else assert(expireTick[posting] > view.tick, `posting ${posting} is over`)
  const title = postingTemplate(view, posting).title
  assert(title === postingText(view, posting).title, `posting ${posting} has other words`)
}

export const postingsHold: CheckDef = {
  name: 'postings: the escrow is the reward, they are found at their base, one mission each',
  run(view, full) {
    if (!full || view.countOf(Posting) === 0) return
    const { alive } = view.read(Posting)
    for (let row = 1; row <= view.highOf(Posting); row++) {
      if (alive[row] === 1) checkPosting(view, row)
    }
    const words = view.records(POSTING_TEXTS).size
    assert(words === view.countOf(Posting), `${words} postings have words`)
  },
}
