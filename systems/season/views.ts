/** Seasons as the news shows them. */
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import type { WorldView } from '../../core/types.ts'
import { regionName, type Season, seasonsAhead, seasonsIn } from './model.ts'

const textOf = (news: string, region: number): string =>
  news.replace('{region}', regionName(region))

const nameOf = (id: string): string => GOODS[itemIndex(id)].name

/** Renders a season, with the goods it makes scarce or plentiful. */
function renderSeason(view: WorldView, { row, region, startTick, endTick }: Season) {
  return {
    id: row.id,
    title: row.title,
    region: regionName(region),
    text: textOf(row.news, region),
    wanted: row.uses.map(nameOf),
    plentiful: row.grows.map(nameOf),
    ends_in_ticks: endTick - view.tick,
    started_at_tick: startTick,
  }
}

/** Renders the seasons that run anywhere, the longest running first. */
export const renderSeasons = (view: WorldView) =>
  seasonsAhead(view)
    .filter(({ startTick }) => startTick <= view.tick)
    .sort((a, b) => a.startTick - b.startTick)
    .map((season) => renderSeason(view, season))

/** Renders the news of a region, one sentence per season that runs there. */
export const renderNews = (view: WorldView, region: number): string[] =>
  seasonsIn(view, region).map(({ title, news }) => `${title}: ${textOf(news, region)}`)
