/** What the faucet of missions pays a player: so much a day. Source: missions.md section 1. */
import type { MissionRow } from '../../core/catalog/index.ts'
import { canReceive, namedAccount } from '../../core/ledger.ts'
import { MISSION_CREDITS_PER_DAY_MAX } from '../../core/limits.ts'
import { divFloor } from '../../core/math.ts'
import { DAY_TICKS } from '../../core/time.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/columns.ts'
import { addStat, walletOf } from '../account/rules.ts'
import { creditMove } from '../log/rules.ts'
import { noteIncome } from '../tax/rules.ts'
import { MISSION_RECORDS, type MissionRecord } from './columns.ts'

export const FAUCET = 'missions'
export const dayOf = (tick: number): number => divFloor(tick, DAY_TICKS)

const NO_RECORD: MissionRecord = { done: {}, epoch: 0, offers: [], day: 0, paid: 0, lapsed: [] }

export const recordKey = (view: WorldView, player: Eid): string =>
  String(view.read(Player).seq[player])

export const recordOf = (view: WorldView, player: Eid): MissionRecord =>
  view.records(MISSION_RECORDS).get(recordKey(view, player)) ?? NO_RECORD

export function saveRecord(world: World, player: Eid, record: MissionRecord): void {
  world.records(MISSION_RECORDS).set(recordKey(world, player), record)
}

/** Credits that the faucet still pays a player today. */
export function creditsLeft(view: WorldView, player: Eid): number {
  const { day, paid } = recordOf(view, player)
  return MISSION_CREDITS_PER_DAY_MAX - (day === dayOf(view.tick) ? paid : 0)
}

/**
 * Pays a share of a collection, as far as the day's allows, and notes that the player has done his
 * part of it. ours: of a wallet that is full the share is lost, as nobody is asked.
 */
export function payFaucet(world: World, player: Eid, template: MissionRow, due: number): void {
  const wallet = walletOf(world, player)
  const most = Math.min(due, creditsLeft(world, player))
  const paid = canReceive(world, wallet, most) ? most : 0
  const said = `Your share of "${template.title}".`
  const data = { template_id: template.template_id }
  creditMove(world, player, namedAccount(FAUCET), wallet, paid, 'mission', 'share', said, data)
  noteIncome(world, player, 'mission', paid)
  addStat(world, player, 'credits_earned', paid)
  const record = recordOf(world, player)
  const [at, times] = record.done[template.template_id] ?? [0, 0]
  const day = dayOf(world.tick)
  saveRecord(world, player, {
    ...record,
    done: {
      ...record.done,
      [template.template_id]: [world.wallMs, at === world.wallMs ? times : times + 1],
    },
    day,
    paid: (record.day === day ? record.paid : 0) + paid,
  })
}
