/**
 * Finds commands in texts of the server: `game/accept_mission with id new_pilot_1` becomes a part
 * that opens the form, filled in. All other text stays plain; nothing is parsed as HTML.
 */
import type { Call, ConsoleOperation } from './console.ts'

type Part = string | ({ readonly text: string } & Call)

const ADDRESS = /\bgame(?:_[a-z]+)*(?:\/[a-z_]+)?\b/g
/** Matches ` with id x` or ` with id x and quantity 3` after a command. */
const WITH = /^ with ([a-z_]+) ([\w:-]+)(?: and ([a-z_]+) ([\w:-]+))?/

function payloadAfter(
  rest: string,
  operation: ConsoleOperation,
): { length: number; payload: Record<string, unknown> } {
  const payload: Record<string, unknown> = {}
  const found = WITH.exec(rest)
  if (!found) return { length: 0, payload }
  const [whole, ...pairs] = found
  for (let index = 0; index < pairs.length; index += 2) {
    const param = operation.params.find(({ name }) => name === pairs[index])
    if (!param) continue
    const isNumber = param.type === 'integer' && /^\d+$/.test(pairs[index + 1])
    payload[param.name] = isNumber ? Number(pairs[index + 1]) : pairs[index + 1]
  }
  const isKnown = Object.keys(payload).length > 0
  return { length: isKnown ? whole.length : 0, payload: isKnown ? payload : {} }
}

/** Splits a text into plain parts and commands. */
export function partsOf(
  text: string,
  operations: ReadonlyMap<string, ConsoleOperation>,
): readonly Part[] {
  const parts: Part[] = []
  let from = 0
  for (const match of text.matchAll(ADDRESS)) {
    const operation = operations.get(match[0])
    if (!operation || match.index < from) continue
    const end = match.index + match[0].length
    const { length, payload } = payloadAfter(text.slice(end), operation)
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push({ text: text.slice(match.index, end + length), address: match[0], payload })
    from = end + length
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** Returns the first command in a text. */
export const firstCommandIn = (
  text: string,
  operations: ReadonlyMap<string, ConsoleOperation>,
): Call | undefined =>
  partsOf(text, operations).find((part): part is Exclude<Part, string> => typeof part !== 'string')
