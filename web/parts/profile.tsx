/** What the pages of players and factions share: ranks and achievements. */

import { useSignal } from '@preact/signals'
import type { AchievementsBody, FactionBody } from '../../core/public/world.ts'
import { useBody } from '../api.ts'
import { boardHref } from '../hrefs.ts'
import { formatInt, formatPct } from './format.ts'
import { Empty, Stateful } from './state.tsx'
import { Chip, Meter } from './tabs.tsx'
import { When } from './time.tsx'

interface RanksProps {
  readonly ranks: FactionBody['ranks']
  readonly topN: number
  /** Prefix of the board in its address: `factions.` for boards of factions. */
  readonly prefix: string
}

export function Ranks({ ranks, topN, prefix }: RanksProps) {
  return (
    <section class="panel">
      <h2>Ranks</h2>
      {ranks.length === 0 ? (
        <Empty>Not in the top {formatInt(topN)} of any board.</Empty>
      ) : (
        <ul class="list">
          {ranks.map(({ category, label, rank, value }) => (
            <li key={category}>
              <b class="num rank">{formatInt(rank)}</b>
              <a href={boardHref(prefix + category)}>{label}</a>
              <span class="end">{formatInt(value)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type Achievement = AchievementsBody['achievements'][number]

const earnedFirst = (a: Achievement, b: Achievement): number =>
  Number(b.earned) - Number(a.earned) || b.points - a.points

/** Shows achievements and how rare they are; a button adds those not earned yet. */
export function Achievements({ path }: { readonly path: string }) {
  const body = useBody<AchievementsBody>(path, 'M')
  const isWhole = useSignal(false)
  return (
    <section class="panel">
      <h2>Achievements</h2>
      <Stateful path={path} body={body}>
        {({ summary, achievements }) => {
          const shown = achievements
            .filter(({ earned }) => earned || isWhole.value)
            .sort(earnedFirst)
          return (
            <>
              <p class="muted">
                {formatInt(summary.earned)} of {formatInt(summary.total)},{' '}
                {formatInt(summary.points)} points
              </p>
              <Meter value={summary.earned} max={summary.total} label="Achievements earned" />
              {shown.length === 0 && <Empty>No achievements earned yet.</Empty>}
              <ul class="list tall">
                {shown.map((one) => (
                  <AchievementRow key={one.id} {...one} />
                ))}
              </ul>
              <button
                type="button"
                class="more"
                aria-pressed={isWhole}
                onClick={() => {
                  isWhole.value = !isWhole.value
                }}
              >
                {isWhole.value ? 'Show only earned ones' : 'Show unearned ones too'}
              </button>
            </>
          )
        }}
      </Stateful>
    </section>
  )
}

function AchievementRow({ name, description, points, earned, earned_at, rarity_pct }: Achievement) {
  return (
    <li class={earned ? undefined : 'muted'}>
      <span>
        <b>{name}</b> {!earned && <Chip>not yet</Chip>}
        <br />
        <span class="muted">{description}</span>
      </span>
      <span class="end muted">
        {formatInt(points)} points
        <br />
        {earned_at ? <When at={earned_at} /> : `${formatPct(rarity_pct)} have it`}
      </span>
    </li>
  )
}
