/** Progress of long steps: what is drawn, how often, and what rate and time left it tells. */
import { expect, test } from 'vitest'
import { createProgress } from '../../../cli/progress.ts'

function watched(screen: { isTTY?: boolean; columns?: number }, quiet = false) {
  let clockMs = 0
  let drawn: string[] = []
  const write = (text: string) => drawn.push(text)
  const progress = createProgress({ quiet, screen: { ...screen, write }, now: () => clockMs })
  return {
    progress,
    /** What is drawn by this report, so much later than the one before. */
    at(ms: number, done: number, all?: number): string[] {
      drawn = []
      clockMs += ms
      progress.progress('rows', done, all)
      return drawn
    },
    drawnBy(act: () => void): string[] {
      drawn = []
      act()
      return drawn
    },
  }
}

test('on a terminal one line changes, at most four times a second, and is taken away', () => {
  const { at, drawnBy, progress } = watched({ isTTY: true, columns: 40 })
  expect(at(100, 10, 4_000)).toEqual([])
  expect(at(150, 20, 4_000)).toEqual(['\r\u001b[Krows: 20 of 4,000 (0 %)'])
  const [line] = at(1_850, 1_010, 4_000)
  expect(line).toBe('\r\u001b[Krows: 1,010 of 4,000 (25 %), 500 a seco')
  expect(drawnBy(() => progress.note('Odd.'))).toEqual(['\r\u001b[K', 'Odd.\n'])
  expect(drawnBy(() => progress.end())).toEqual([])
})

test('elsewhere a line every five seconds, with rate and time left', () => {
  const { at } = watched({})
  expect(at(0, 0, 100_000)).toEqual([])
  expect(at(4_900, 400, 100_000)).toEqual([])
  expect(at(100, 500, 100_000)).toEqual(['rows: 500 of 100,000 (0 %), 100 a second, 17 min left\n'])
  expect(at(5_000, 99_000, 100_000)).toEqual([
    'rows: 99,000 of 100,000 (99 %), 9,900 a second, 1 s left\n',
  ])
})

test('a step without a known end shows only its rate; quiet shows nothing', () => {
  const { at } = watched({})
  at(0, 0)
  expect(at(10_000, 25)).toEqual(['rows: 25, 2.5 a second\n'])
  const { at: quietly } = watched({}, true)
  quietly(0, 0)
  expect(quietly(10_000, 25)).toEqual([])
})
