/**
 * Packs: fighters of one empire leave home together, since a single starter ship would not survive.
 * A fighter waits until enough others are ready, or until its patience runs out.
 */
import { type Bot, rest } from './bot.ts'

const PACK_SIZE = 4
const PATIENCE_TICKS = 12

interface Pack {
  /** Sorties so far; the number decides where the next one goes. */
  sorties: number
  readonly waiting: Set<Bot>
}

const packs = new Map<string, Pack>()

/** Resolves when the pack leaves, with the number of the sortie. */
export async function joinPack(bot: Bot): Promise<number> {
  const pack = packs.get(bot.empire) ?? { sorties: 0, waiting: new Set() }
  packs.set(bot.empire, pack)
  pack.waiting.add(bot)
  try {
    for (let ticks = 0; ticks < PATIENCE_TICKS && pack.waiting.has(bot); ticks++) {
      if (pack.waiting.size >= PACK_SIZE) leave(pack)
      else await rest(bot)
    }
    if (pack.waiting.has(bot)) leave(pack)
    return pack.sorties
  } finally {
    pack.waiting.delete(bot)
  }
}

function leave(pack: Pack): void {
  pack.waiting.clear()
  pack.sorties += 1
}
