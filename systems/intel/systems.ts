/** Invariants of intelligence; collecting it on arrival, dropping it with the faction. */
import { assert } from '../../core/assert.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { byteLength } from '../../core/text-rules.ts'
import type { Row, WorldView } from '../../core/types.ts'
import { Base } from '../base/state.ts'
import { disbanded, Faction } from '../faction/state.ts'
import { Sight } from '../market/state.ts'
import { arrived, docked } from '../travel/state.ts'
import { bytesOf, parseKey, priceNoteOf, quotesOf } from './model.ts'
import { collectPrices, collectSystem, dropNotes, dropPrices } from './rules.ts'
import {
  FACTS,
  FACTS_PER_BASE_MAX,
  INTEL_FACTION_BYTES_MAX,
  PRICES_PER_FACTION_MAX,
  PriceNote,
  SYSTEM_NOTES,
} from './state.ts'

/* Invariants */

export const notesHold: CheckDef = {
  name: 'intel: notes are of factions and systems that exist, and their bytes are counted',
  run(view, full) {
    if (!full) return
    const bytes = new Map<Row, number>()
    for (const [key, note] of view.records(SYSTEM_NOTES).entries()) {
      const [faction, system] = parseKey(view, key)
      if (faction === 0 || system === 0) assert(false, `note ${key} has no faction or no system`)
      bytes.set(faction, (bytes.get(faction) ?? 0) + byteLength(note.given ?? ''))
    }
    for (const [faction, sum] of bytes) {
      assert(sum === bytesOf(view, faction), `faction ${faction} keeps ${sum} bytes`)
      assert(sum <= INTEL_FACTION_BYTES_MAX, `faction ${faction} exceeds its limit: ${sum} bytes`)
    }
  },
}

function countPrices(view: WorldView) {
  const keepers = new Uint32Array(view.highOf(Sight) + 1)
  const quotes = new Map<Row, number>()
  const note = view.read(PriceNote)
  const { alive: isFaction } = view.read(Faction)
  const { base } = view.read(Sight)
  for (let row = 1; row <= view.highOf(PriceNote); row++) {
    if (note.alive[row] === 0) continue
    const faction = note.faction[row]
    if (isFaction[faction] === 0) assert(false, `price note ${row} has no faction`)
    if (base[note.sight[row]] !== note.base[row]) assert(false, `price note ${row}: wrong base`)
    if (priceNoteOf(view, faction, note.base[row]) !== row) assert(false, `${row} is not listed`)
    keepers[note.sight[row]]++
    quotes.set(faction, (quotes.get(faction) ?? 0) + note.quotes[row])
  }
  return { keepers, quotes }
}

export const pricesHold: CheckDef = {
  name: 'intel: price notes are in the index, and sights count the notes that keep them',
  run(view, full) {
    if (!full) return
    const { keepers, quotes } = countPrices(view)
    const sights = view.read(Sight)
    for (let row = 1; row <= view.highOf(Sight); row++) {
      if (sights.alive[row] === 0) continue
      assert(keepers[row] === sights.keepers[row], `sight ${row} has ${keepers[row]} keepers`)
    }
    for (const [faction, sum] of quotes) {
      assert(sum === quotesOf(view, faction), `faction ${faction} keeps ${sum} quotes`)
      assert(sum <= PRICES_PER_FACTION_MAX, `faction ${faction} exceeds its limit: ${sum} quotes`)
    }
  },
}

export const factsHold: CheckDef = {
  name: 'intel: facts of existing bases, within the limit, the newest first',
  run(view, full) {
    if (!full) return
    for (const [key, facts] of view.records(FACTS).entries()) {
      assert(view.rowOf(Base, Number(key)) !== 0, `facts of base ${key}, which is gone`)
      assert(facts.length <= FACTS_PER_BASE_MAX, `base ${key} keeps ${facts.length} facts`)
      assert(
        facts.every(({ tick }, i) => i === 0 || tick <= facts[i - 1].tick),
        `facts of base ${key} are out of order`,
      )
    }
  },
}

/* Observers */

export const seeSystem = observe(arrived, (world, { player, poi }) =>
  collectSystem(world, player, poi),
)
export const seePrices = observe(docked, (world, { player, base }) =>
  collectPrices(world, player, base),
)

export const forgetIntel = observe(disbanded, (world, { faction }) => {
  dropNotes(world, faction)
  dropPrices(world, faction)
})
