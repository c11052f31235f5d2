/** What the server says of itself in /metrics, looked at while a load runs. */

interface Look {
  readonly tick: number
  readonly computeMs: number
  readonly commitMs: number
  readonly rssMiB: number
  /** Longest delay of the server's own event loop since its last look, ms. */
  readonly loopMs: number
}

export interface ServerFigures {
  /** By tick: what the world thread computed, and what journal and publishing took. */
  readonly computeMs: Map<number, number>
  readonly commitMs: Map<number, number>
  readonly loopMs: number[]
  rssMiB: number
  stop(): void
}

const LOOK_EVERY_MS = 400

function read(page: string): Look {
  const value = (name: string): number => {
    const line = page.split('\n').find((one) => one.startsWith(name))
    return Number(line?.slice(line.lastIndexOf(' ') + 1) ?? Number.NaN)
  }
  return {
    tick: value('orrery_world{name="tick"}'),
    computeMs: value('orrery_world{name="tick_compute_ms"}'),
    commitMs: value('orrery_world{name="journal_and_publish_ms"}'),
    rssMiB: value('process_resident_memory_bytes') / 2 ** 20,
    loopMs: value('nodejs_eventloop_lag_p99_seconds') * 1000,
  }
}

/** Looks now and then until stopped; a look that fails is left out. */
export function watchServer(url: string): ServerFigures {
  const figures: ServerFigures = {
    computeMs: new Map(),
    commitMs: new Map(),
    loopMs: [],
    rssMiB: 0,
    stop: () => clearInterval(timer),
  }
  const look = async (): Promise<void> => {
    try {
      const response = await fetch(`${url}/metrics`)
      if (!response.ok) return
      const seen = read(await response.text())
      if (!Number.isFinite(seen.tick)) return
      figures.computeMs.set(seen.tick, seen.computeMs)
      figures.commitMs.set(seen.tick, seen.commitMs)
      figures.loopMs.push(seen.loopMs)
      figures.rssMiB = Math.max(figures.rssMiB, seen.rssMiB)
    } catch {
      // The next look may succeed; the load itself tells whether the server is there.
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return figures
}

/** Computing and committing of the quickest tick seen; 0 when none was. */
export function quickestTick({ computeMs, commitMs }: ServerFigures): number {
  const costs = [...computeMs].map(([tick, ms]) => ms + (commitMs.get(tick) ?? 0))
  return costs.length === 0 ? 0 : Math.min(...costs)
}
