/**
 * Shoppers: one player at each capital has hulls of tiers 1 and 2 built for credits, one after
 * another. Measures how long each hull takes. Source: balance.md section 4.
 */
import { EMPIRES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { Eid } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { commissionById, commissionsOf, isBuildable } from '../../systems/shipyard/model.ts'
import { COMMISSIONS_PER_PLAYER_MAX } from '../../systems/shipyard/state.ts'
import { skillIndex, slotOf } from '../../systems/skill/model.ts'
import { PlayerSkills } from '../../systems/skill/state.ts'
import { type DrivenWorld, empireOf, type Reply, type Wish } from '../driven-world.ts'

/** Ticks between two orders of a shopper, and until a hull is late, by tier. */
const ORDER_TICKS = 120
const TICKS_MAX = { 1: 300, 2: 900 } as const
/** Credits and level of piloting: enough for every hull of both tiers. */
const CREDITS = 100_000_000
const PILOTING = 30

type Tier = keyof typeof TICKS_MAX
const TIERS = [1, 2] as const

interface Order {
  readonly tier: Tier
  readonly shipClass: string
  readonly sinceTick: number
}

const designsOf = (empire: string, tier: Tier) =>
  SHIP_CLASSES.filter((row) => row.tier === tier && row.faction === empire && isBuildable(row))

/** Adds a shopper at each capital; they fly nothing and only order. */
export function openShoppers({ world, join }: DrivenWorld) {
  const shoppers = EMPIRES.map((_, empire) => join(`Shopper ${empire}`, empireOf(empire)))
  for (const player of shoppers) {
    post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS)
    world.write(PlayerSkills).level[slotOf(player, skillIndex('piloting'))] = PILOTING
  }
  const open = new Map<string, Order>()
  const unanswered = new Map<Eid, Order>()
  const done: { order: Order; ticks: number }[] = []
  const refused = new Map<string, number>()

  /** Returns what the shoppers order in this tick: every third time a hull of tier 2. */
  function wishes(): Wish[] {
    if (world.tick % ORDER_TICKS !== 0) return []
    const turn = world.tick / ORDER_TICKS
    return shoppers.flatMap((player, empire): Wish[] => {
      if (commissionsOf(world, player).length >= COMMISSIONS_PER_PLAYER_MAX) return []
      const tier: Tier = turn % 3 === 0 ? 2 : 1
      const designs = designsOf(empireOf(empire), tier)
      const { id: shipClass } = designs[turn % designs.length]
      unanswered.set(player, { tier, shipClass, sinceTick: world.tick })
      return [{ player, command: 'commission_ship', params: { ship_class: shipClass } }]
    })
  }

  /** Records the answer to an order; false if the answer is not for a shopper. */
  function record({ player, outcome }: Reply): boolean {
    const order = unanswered.get(player)
    if (!order) return false
    unanswered.delete(player)
    if (outcome.ok) {
      const { commission_id } = outcome.result as { commission_id: string }
      open.set(commission_id, order)
    } else refused.set(outcome.code, (refused.get(outcome.code) ?? 0) + 1)
    return true
  }

  /** Records the hulls that are done. */
  function sample(): void {
    for (const [id, order] of open) {
      if (commissionById(world, id) !== 0) continue
      open.delete(id)
      done.push({ order, ticks: world.tick - order.sinceTick })
    }
  }

  function report() {
    const tiers = TIERS.map((tier) => {
      const ticks = done.flatMap(({ order, ticks: took }) => (order.tier === tier ? [took] : []))
      // A hull that is not done yet counts once it is late.
      const waiting = [...open.values()].filter(
        (order) => order.tier === tier && world.tick - order.sinceTick > TICKS_MAX[tier],
      )
      const late = ticks.filter((took) => took > TICKS_MAX[tier]).length + waiting.length
      const judged = ticks.length + waiting.length
      const classes = [...new Set(waiting.map(({ shipClass }) => shipClass))]
      return { tier, done: ticks.length, judged, late, waiting: waiting.length, classes }
    })
    return { tiers, refused: Object.fromEntries(refused) }
  }

  return { wishes, record, sample, report }
}

/** Returns a complaint about each tier of which more than five in a hundred hulls are late. */
export const shoppersComplaints = (
  report: ReturnType<ReturnType<typeof openShoppers>['report']>,
): string[] =>
  report.tiers.flatMap(({ tier, judged, late, classes }) =>
    late * 100 > judged * 5
      ? [`${late} of ${judged} hulls of tier ${tier} were late: ${classes.join(', ')}`]
      : [],
  )
