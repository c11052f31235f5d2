/** Shows the current moment and how fresh it is, as chips in the bar. Source: WEB 4. */
import { behindMs, isDead, isLive, newestTick, shownTick, timeOf } from '../clock.ts'
import { changeQuery, pastTick } from '../router.ts'
import { streamState } from '../stream.ts'
import { formatExact, formatInt, formatSpan } from './format.ts'
import { Tick } from './time.tsx'

export const goLive = (): void => changeQuery({ t: undefined }, 'push')

/** Shows that the moment in the address is not kept, and the way back to live. */
export function NotKept() {
  return (
    <div class="bar warn" data-state="not-kept">
      <div role="alert">
        <span>
          <b>Nothing is kept of this moment.</b> The server keeps the map for 30 days, except while
          it is down. Choose another moment, or go back to live.
        </span>
      </div>
      <button type="button" onClick={goLive}>
        Live
      </button>
    </div>
  )
}

function Freshness() {
  if (!isLive.value) {
    return (
      <button type="button" class="chip info" data-state="past" onClick={goLive}>
        Past · back to live
      </button>
    )
  }
  if (streamState.value === 'resting') return <span class="chip plain">Resting</span>
  if (behindMs.value > 0) {
    return (
      <span class={`chip ${isDead.value ? 'bad' : 'warn'}`} data-state="stale">
        behind by {formatSpan(behindMs.value)}
      </span>
    )
  }
  if (newestTick.value === 0 || streamState.value === 'connecting')
    return <span class="chip plain">Connecting</span>
  return (
    <span class="chip good" data-state="live">
      Live
    </span>
  )
}

/** Shows the current tick and a chip with its freshness. */
export function Moment() {
  const tick = shownTick.value
  const isWaiting = pastTick.value !== undefined && pastTick.value > newestTick.value
  return (
    <div class="moment">
      {tick > 0 && (
        <span class="tick" title={formatExact(timeOf(tick))}>
          {isLive.value ? `tick ${formatInt(tick)}` : <Tick tick={tick} />}
        </span>
      )}
      {isWaiting && <span class="chip warn">not public yet</span>}
      <Freshness />
    </div>
  )
}
