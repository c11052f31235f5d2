/** What a message to MCP counts as. */
import { expect, test } from 'vitest'
import { costOfLists } from '../../../net/mcp/messages.ts'

const EXCLUDING = new URLSearchParams('exclude=chat')
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('a list of tools that is made for its own exclusions counts as more than one message', () => {
  expect(costOfLists(new URLSearchParams(), list)).toBe(0)
  expect(costOfLists(EXCLUDING, { ...list, method: 'tools/call' })).toBe(0)
  expect(costOfLists(EXCLUDING, list)).toBeGreaterThan(10)
  expect(costOfLists(EXCLUDING, [{ ...list, method: 'ping' }, list])).toBeGreaterThan(10)
})

test('an empty list of messages counts as one', () => {
  expect(costOfLists(new URLSearchParams(), [])).toBe(1)
})
