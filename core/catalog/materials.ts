/** Lists of materials as text: `3 iron_ingot 2 carbon_ore`. */
import { assert } from '../assert.ts'
import type { MaterialRow } from './types.ts'

const TERM = /^(\d+) ([a-z0-9_]+)$/

/** Parses materials such as `3 iron_ingot 2 carbon_ore` to rows. */
export function materialsOf(text: string): MaterialRow[] {
  const words = text.trim() === '' ? [] : text.trim().split(/\s+/)
  assert(words.length % 2 === 0, `catalog: odd list of materials: ${text}`)
  const rows: MaterialRow[] = []
  for (let i = 0; i < words.length; i += 2) {
    const term = TERM.exec(`${words[i]} ${words[i + 1]}`)
    assert(term, `catalog: not a quantity and an id: ${text}`)
    rows.push({ item_id: term[2]!, quantity: Number(term[1]) })
  }
  return rows
}
