/** The panel beside the map: the chosen system, and current events. */

import { useSignal } from '@preact/signals'
import type { ActivityBody, MapBody } from '../../../core/public/world.ts'
import { isLive } from '../../clock.ts'
import { battleHref, systemHref } from '../../hrefs.ts'
import { lineOf } from '../../parts/feed-line.tsx'
import { formatInt, plural } from '../../parts/format.ts'
import { Link, SystemLink } from '../../parts/link.tsx'
import { Empty } from '../../parts/state.tsx'
import { Chip } from '../../parts/tabs.tsx'
import { Tick } from '../../parts/time.tsx'
import { hrefNow } from '../../router.ts'
import { recent } from '../../stream.ts'
import { chosen } from './board.ts'
import { type CardFacts, SystemFacts } from './system-card.tsx'
import { figuresOf } from './table.tsx'

const LINES_MAX = 12
const TRADES_MAX = 8
const BUSY_MAX = 5

type Names = ReadonlyMap<string, MapBody['systems'][number]>

function Figures({ activity }: { readonly activity?: ActivityBody }) {
  const found = activity && figuresOf(activity)
  const figures = [
    ['players', found?.players],
    ['in flight', found?.inFlight],
    ['battles', found?.battles],
  ] as const
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dd>{value === undefined ? '–' : formatInt(value)}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  )
}

function Battles({ activity, names }: { activity?: ActivityBody; names: Names }) {
  const battles = Object.entries(activity?.battles ?? {})
  if (battles.length === 0) return null
  return (
    <section>
      <h3>Fighting now</h3>
      <ul class="list">
        {battles.map(([system, battle]) => (
          <li key={battle}>
            <Chip tone="bad">✕</Chip>
            <SystemLink id={system} name={names.get(system)?.name ?? system} />
            <span class="end">
              <Link to={battleHref(battle)} keepsMoment>
                watch
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Busiest({ activity, names }: { activity?: ActivityBody; names: Names }) {
  const busiest = Object.entries(activity?.online ?? {})
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, BUSY_MAX)
  if (busiest.length === 0) return null
  return (
    <section>
      <h3>Busiest systems</h3>
      <ul class="list">
        {busiest.map(([system, count]) => (
          <li key={system}>
            <SystemLink id={system} name={names.get(system)?.name ?? system} />
            <span class="end">{plural(count, 'player')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NewsProps {
  readonly title: string
  readonly empty: string
  readonly isShown: (type: string) => boolean
  readonly linesMax: number
}

/** Shows part of the feed, newest first. */
function News({ title, empty, isShown, linesMax }: NewsProps) {
  const lines = recent.value
    .flatMap((message) => {
      if (message.type === 'topic' || !isShown(message.type)) return []
      const line = lineOf(message)
      return line ? [{ ...line, id: message.id, tick: message.tick }] : []
    })
    .slice(-linesMax)
    .reverse()
  return (
    <section>
      <h3>{title}</h3>
      {lines.length === 0 && <Empty>{empty}</Empty>}
      <ul class="news">
        {lines.map(({ id, tick, tone, text }) => (
          <li key={id} class={tone}>
            <span>{text}</span>
            <span class="muted">
              <Tick tick={tick} isShort />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const isTrade = (type: string): boolean => type === 'exchange_fill'

interface PanelProps {
  readonly activity?: ActivityBody
  readonly names: Names
  readonly card?: CardFacts
}

export function MapPanel({ activity, names, card }: PanelProps) {
  const isOpen = useSignal(false)
  return (
    <aside class={isOpen.value || card ? 'side open' : 'side'} aria-label="What happens">
      <button
        type="button"
        class="grip"
        aria-expanded={isOpen.value || card !== undefined}
        onClick={() => {
          isOpen.value = card ? false : !isOpen.value
          chosen.value = undefined
        }}
      >
        {card ? card.system.name : 'Happening now'}
      </button>
      <Figures activity={activity} />
      {card && (
        <section class="card">
          <header>
            <h2 class="name">{card.system.name}</h2>
            <button type="button" onClick={() => (chosen.value = undefined)}>
              Close
            </button>
          </header>
          <SystemFacts {...card} />
          <a class="button" href={hrefNow(systemHref(card.system.id))}>
            Open the system
          </a>
        </section>
      )}
      {activity && activity.transits.length === 0 && <Empty>Nobody flies yet.</Empty>}
      <Battles activity={activity} names={names} />
      <Busiest activity={activity} names={names} />
      {isLive.value && (
        <>
          <News
            title="Happening now"
            empty="What pilots do appears here as it happens."
            isShown={(type) => !isTrade(type)}
            linesMax={LINES_MAX}
          />
          <News
            title="Latest trades"
            empty="Trades at the exchanges appear here."
            isShown={isTrade}
            linesMax={TRADES_MAX}
          />
        </>
      )}
    </aside>
  )
}
