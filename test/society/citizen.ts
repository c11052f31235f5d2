/** The bots of the society: their callings, clans and names. */
import type { Bot } from '../../cli/bots/moves.ts'
import type { Dice } from '../../core/dice.ts'
import type { Eid } from '../../core/types.ts'
import type { Wish } from '../driven-world.ts'

type Calling = 'leader' | 'officer' | 'soldier' | 'worker' | 'drifter'

export interface Citizen {
  readonly player: Eid
  readonly name: string
  readonly calling: Calling
  /** Number of the faction the citizen begins in, from 0. */
  readonly clan: number
  readonly dice: Dice
  /** The bot that plays a worker's part in the economy. */
  readonly bot: Bot
  restTick: number
}

/** Callings of the 25 members of a clan. */
const CALLINGS: readonly Calling[] = [
  'leader',
  ...Array<Calling>(2).fill('officer'),
  ...Array<Calling>(8).fill('soldier'),
  ...Array<Calling>(11).fill('worker'),
  ...Array<Calling>(3).fill('drifter'),
]
export const CLAN_SIZE = CALLINGS.length

export const callingOf = (index: number): Calling => CALLINGS[index % CLAN_SIZE]
export const clanOf = (index: number): number => Math.trunc(index / CLAN_SIZE)
export const tagOf = (clan: number): string => `C${String(clan).padStart(3, '0')}`
export const nameOf = (index: number): string => `Citizen ${index}`

export const wish = (
  { player }: Citizen,
  command: string,
  params: Record<string, unknown> = {},
): Wish => ({ player, command, params })
