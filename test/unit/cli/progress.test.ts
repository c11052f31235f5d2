/** Progress of long steps: what is drawn and how often, with rate and remaining time. */
import { expect, test } from 'vitest'
import { createProgress } from '../../../cli/progress.ts'

function watchProgress(screen: { isTTY?: boolean; columns?: number }, quiet = false) {
  let clockMs = 0
  let drawn: string[] = []
  const write = (text: string) => drawn.push(text)
  const progress = createProgress({ quiet, screen: { ...screen, write }, now: () => clockMs })
  return {
    progress,
    /** Reports progress this long after the previous report; returns what is drawn. */
    reportAfter(ms: number, done: number, all?: number): string[] {
      drawn = []
      clockMs += ms
      progress.progress('rows', done, all)
      return drawn
    },
    /** Returns what an action draws. */
    drawnBy(act: () => void): string[] {
      drawn = []
      act()
      return drawn
    },
  }
}

test('a terminal shows one line, redrawn at most four times a second and cleared for notes', () => {
  const { reportAfter, drawnBy, progress } = watchProgress({ isTTY: true, columns: 40 })
  expect(reportAfter(100, 10, 4_000)).toEqual([])
  expect(reportAfter(150, 20, 4_000)).toEqual(['\r\u001b[Krows: 20 of 4,000 (0 %)'])
  const [line] = reportAfter(1_850, 1_010, 4_000)
  expect(line).toBe('\r\u001b[Krows: 1,010 of 4,000 (25 %), 500 a seco')
  expect(drawnBy(() => progress.note('Odd.'))).toEqual(['\r\u001b[K', 'Odd.\n'])
  expect(drawnBy(() => progress.end())).toEqual([])
})

test('other outputs get a line every five seconds, with rate and remaining time', () => {
  const { reportAfter } = watchProgress({})
  expect(reportAfter(0, 0, 100_000)).toEqual([])
  expect(reportAfter(4_900, 400, 100_000)).toEqual([])
  expect(reportAfter(100, 500, 100_000)).toEqual([
    'rows: 500 of 100,000 (0 %), 100 a second, 17 min left\n',
  ])
  expect(reportAfter(5_000, 99_000, 100_000)).toEqual([
    'rows: 99,000 of 100,000 (99 %), 9,900 a second, 1 s left\n',
  ])
})

test('a step without a known end shows only its rate, and nothing if quiet', () => {
  const { reportAfter } = watchProgress({})
  reportAfter(0, 0)
  expect(reportAfter(10_000, 25)).toEqual(['rows: 25, 2.5 a second\n'])
  const { reportAfter: reportQuietly } = watchProgress({}, true)
  reportQuietly(0, 0)
  expect(reportQuietly(10_000, 25)).toEqual([])
})
