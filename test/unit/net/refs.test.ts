/** Refs of commands: none is given twice, even when an incarnation runs out of them. */
import { expect, test } from 'vitest'
import { createRefs } from '../../../net/publish/refs.ts'
import { silentLog } from './fake-net.ts'

const SIZE = 32
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a process takes the refs of another incarnation before its own run out', async () => {
  const taken: number[] = []
  let last = 5
  const take = async (): Promise<number> => {
    last += 2
    taken.push(last)
    return last
  }
  const refs = createRefs({ first: 5, take }, silentLog(), SIZE)
  const given: number[] = []
  for (let i = 0; i < 3 * SIZE; i++) {
    given.push(refs.next())
    await turn()
  }
  expect(new Set(given).size).toBe(3 * SIZE)
  expect(given).toEqual([...given].sort((a, b) => a - b))
  const incarnations = [...new Set(given.map((ref) => Math.floor(ref / SIZE)))]
  expect(incarnations).toEqual([5, ...taken.slice(0, 3)])
  expect(given.every((ref) => refs.isOwn(ref))).toBe(true)
  expect([4, 6].some((incarnation) => refs.isOwn(incarnation * SIZE + 3))).toBe(false)
})

test('one incarnation is asked for at a time, however long the database takes', async () => {
  let attempts = 0
  let answer = (_: number): void => {}
  const take = (): Promise<number> => {
    attempts += 1
    return new Promise((resolve) => {
      answer = resolve
    })
  }
  const refs = createRefs({ first: 1, take }, silentLog(), SIZE)
  for (let i = 0; i < SIZE - 2; i++) refs.next()
  expect(attempts).toBe(1)
  answer(2)
  await turn()
  const last = [refs.next(), refs.next()]
  expect(last.map((ref) => Math.floor(ref / SIZE))).toEqual([1, 2])
})

test('refs run out rather than repeat while the database gives no new incarnation', async () => {
  let attempts = 0
  const take = async (): Promise<number> => {
    attempts += 1
    throw new Error('away')
  }
  const refs = createRefs({ first: 1, take }, silentLog(), SIZE)
  for (let i = 0; i < SIZE - 1; i++) {
    refs.next()
    await turn()
  }
  expect(attempts).toBeGreaterThan(5)
  for (let call = 0; call < 2; call++) expect(() => refs.next()).toThrow('have run out')
})
