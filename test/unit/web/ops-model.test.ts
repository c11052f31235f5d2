/** The figures of the operator's page: parts of ticks, quantiles and texts. */
import { describe, expect, it } from 'vitest'
import type { OpsBody } from '../../../core/public/ops.ts'
import {
  anatomyOf,
  ceilingOf,
  formatMib,
  formatMs,
  quantile,
  sentenceOf,
  shownTicks,
  TICKS_SHOWN,
  totalOf,
  worstOf,
} from '../../../web/ops-model.ts'

const tickOf = (tick: number, first: number): OpsBody['ticks'][number] => ({
  tick,
  phases: [first, 2],
  journal_ms: 3,
  finish_ms: 0.5,
  publish_ms: 0.5,
  late_ms: 0,
  to_sockets_ms: 9,
  inputs: 0,
  emissions: 0,
})

const bodyOf = (ticks: OpsBody['ticks']): OpsBody => ({
  tick: 9,
  tick_ms: 10_000,
  world: 'up',
  phase_names: ['admit', 'act'],
  ticks,
  inbox: 0,
  unanswered: 0,
  journal_queue: 0,
  outbound_bytes: 0,
  sockets: { ws1: 0, ws2: 0, http: 0, mcp: 0, watchers: 0 },
  memory: { rss: 1, heap: 1, external: 0, columns: 0 },
  slow: [],
})

describe('the anatomy of ticks', () => {
  it('adds up phases, journal, finishing and publishing', () => {
    expect(totalOf(tickOf(1, 4))).toBe(10)
  })

  it('reports each part and the whole', () => {
    const figures = anatomyOf(bodyOf([tickOf(1, 4), tickOf(2, 6), tickOf(3, 100)]))
    expect(figures.map(({ name }) => name)).toEqual([
      'admit',
      'act',
      'journal',
      'finish',
      'to sockets',
      'whole tick',
    ])
    expect(figures[0]).toEqual({ name: 'admit', p50: 6, p99: 100, max: 100, last: 100 })
    expect(figures.at(-1)?.p50).toBe(12)
  })

  it('shows the newest ticks, up to TICKS_SHOWN', () => {
    const many = Array.from({ length: TICKS_SHOWN + 50 }, (_, index) => tickOf(index, 1))
    const shown = shownTicks(bodyOf(many))
    expect([shown.length, shown[0].tick]).toEqual([TICKS_SHOWN, 50])
  })

  it('reports zeros before the first tick', () => {
    expect(sentenceOf(bodyOf([]))).toBe('No tick has run yet.')
    expect(anatomyOf(bodyOf([])).every(({ p99, max }) => p99 === 0 && max === 0)).toBe(true)
    expect(quantile([], 0.5)).toBe(0)
  })

  it('computes quantiles by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([0, 0.5, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([1, 50, 99, 100])
  })

  it('keeps one outlier from flattening the chart', () => {
    const totals = [...Array.from({ length: 299 }, () => 20), 5_000]
    expect(ceilingOf(totals)).toBe(30)
    expect(ceilingOf([])).toBe(1)
  })

  it('names the longest parts, with figures rounded by size', () => {
    expect(worstOf([1, 40, 0, 8], ['a', 'b', 'c', 'd'])).toBe(
      'b 40.0\u202fms, d 8.00\u202fms, a 1.00\u202fms',
    )
    expect(formatMs(1_240.4)).toBe('1240\u202fms')
    expect(formatMib(120_000)).toBe('0.1\u202fMiB')
  })
})
