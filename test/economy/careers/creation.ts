/**
 * How much money a round of careers creates, and how the supply would grow over sixty days of the
 * same players, who are online for as long as balance.md says. Source: balance.md section 9.
 */
import { balanceOf, namedAccount, post } from '../../../core/ledger.ts'
import type { World } from '../../../core/types.ts'
import {
  adjustFaucets,
  faucetPerMille,
  moneySupply,
} from '../../../systems/account/governor-model.ts'
import { walletOf } from '../../../systems/account/model.ts'
import type { Run } from '../careers.ts'
import { LIMITS } from './bands.ts'

/** The money of a round. */
export interface RoundMoney {
  readonly hours: number
  readonly players: number
  /** Hours that all players together were online, and what those pay by the tiers flown. */
  readonly playerHours: number
  readonly pay: number
  readonly moneyBefore: number
  readonly moneyAfter: number
  /** Credits that each source created; sinks are below zero. */
  readonly flows: Readonly<Record<string, number>>
  /** Income taxes that would be due at the end. */
  readonly taxesDue: number
  /** What faucets pay at the end, thousandths. */
  readonly perMille: number
}

interface Creation {
  /** Credits created in a day, as measured. */
  readonly aDay: number
  /** The same for each hour of a player. */
  readonly anHour: number
  /** What players would bring to sinks that no bot visits, and their taxes, an hour. */
  readonly spent: number
  readonly taxes: number
  /** Credits left after both, an hour of a player. */
  readonly left: number
}

const HOURS_A_DAY = 24

export function creationOf(round: RoundMoney): Creation {
  const { hours, playerHours, pay, moneyBefore, moneyAfter, taxesDue } = round
  const created = moneyAfter - moneyBefore
  const spent = (pay * LIMITS.spentPayPct) / 100 / playerHours
  const taxes = taxesDue / playerHours
  const figures = {
    aDay: (created * HOURS_A_DAY) / hours,
    anHour: created / playerHours,
    spent,
    taxes,
    left: created / playerHours - spent - taxes,
  }
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Math.round(value)]),
  ) as unknown as Creation
}

/* The days after */

interface DayFlows {
  /** Credits a day from faucets that the governor can turn down. */
  readonly governed: number
  /** The rest: other faucets, less sinks, spending and taxes. */
  readonly rest: number
}

/** Faucets of stations: they pay by the day, whoever is online. */
const STATION_FAUCETS = ['citizens', 'station_stipend']
const GOVERNED_CAREERS = ['courier', 'exploration']

/** Returns the flows of a day of the same players, online for as long as balance.md says. */
export function dayFlowsOf(round: RoundMoney, runs: readonly Run[]): DayFlows {
  const { hours, players, playerHours, flows, pay, taxesDue } = round
  const stations = HOURS_A_DAY / hours
  const share = (players * LIMITS.dayHours) / playerHours
  const ofStations = STATION_FAUCETS.reduce((sum, name) => sum + (flows[name] ?? 0), 0)
  const governedMissions = runs
    .filter(({ cell }) => GOVERNED_CAREERS.some((career) => cell.startsWith(career)))
    .reduce((sum, { missions }) => sum + missions * hours, 0)
  const ofPlayers = (flows.pirate_bounty ?? 0) + governedMissions
  const total = Object.values(flows).reduce((sum, credits) => sum + credits, 0)
  const spent = (pay * LIMITS.spentPayPct) / 100 + taxesDue
  return {
    governed: Math.round(ofStations * stations + ofPlayers * share),
    rest: Math.round((total - ofStations - ofPlayers - spent) * share),
  }
}

export interface Day {
  readonly day: number
  readonly supply: number
  /** Growth of the supply a day, mean of up to seven days, percent. */
  readonly growthPct: number
  readonly perMille: number
}

const DAYS = 60
const MEAN_DAYS = 7

/** Plays only the ledger of sixty days, with the real governor; the world is spoilt by it. */
export function playDays(world: World, { governed, rest }: DayFlows): Day[] {
  const [faucet, purse] = [namedAccount('missions'), walletOf(world, 1)]
  const supplies = [moneySupply(world)]
  const days: Day[] = []
  for (let day = 1; day <= DAYS; day++) {
    const net = Math.floor((governed * faucetPerMille(world)) / 1_000) + rest
    if (net > 0) post(world, faucet, purse, net)
    else post(world, purse, faucet, Math.min(-net, balanceOf(world, purse)))
    adjustFaucets(world)
    supplies.push(moneySupply(world))
    const from = Math.max(0, day - MEAN_DAYS)
    const growth = (supplies[day] - supplies[from]) / (day - from)
    const growthPct = Math.round((growth * 10_000) / supplies[from]) / 100
    days.push({ day, supply: supplies[day], growthPct, perMille: faucetPerMille(world) })
  }
  return days
}
