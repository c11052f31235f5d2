/** The data from which the layers of the map are drawn, in arrays by system. */
import type { ActivityBody, StationsBody, TerritoryBody } from '../../core/public/world.ts'
import { type Camera, newCamera } from './camera.ts'
import { type Chart, makeChart } from './chart.ts'
import type { Palette } from './colour.ts'
import { Flights } from './flights.ts'
import { type Area, makeAreas } from './territory.ts'

export const LAYERS = ['territory', 'lanes', 'flights', 'battles', 'heat', 'names'] as const
export type Layer = (typeof LAYERS)[number]

export interface Scene {
  /** The tick of the activity; for a past frame, its moment. */
  tick: number
  chart: Chart
  areas: readonly Area[]
  readonly camera: Camera
  palette: Palette
  shown: ReadonlySet<string>
  /** By system: whether it has a station, its players online, NPCs and battles, and its heat. */
  stations: Uint8Array
  online: Uint16Array
  npc: Uint16Array
  battles: Uint8Array
  heat: Uint8Array
  /** Ships in flight by lane, in the order of the lanes of the chart. */
  traffic: Uint16Array
  flights: Flights
  selected: number
  hovered: number
  isCalm: boolean
  isDead: boolean
}

export function newScene(palette: Palette): Scene {
  const scene: Scene = {
    tick: 0,
    chart: makeChart({ systems: [] }),
    areas: [],
    camera: newCamera(),
    palette,
    shown: new Set<string>(LAYERS),
    stations: new Uint8Array(),
    online: new Uint16Array(),
    npc: new Uint16Array(),
    battles: new Uint8Array(),
    heat: new Uint8Array(),
    traffic: new Uint16Array(),
    flights: new Flights(),
    selected: -1,
    hovered: -1,
    isCalm: false,
    isDead: false,
  }
  return scene
}

export function setChart(scene: Scene, chart: Chart): void {
  const count = chart.systems.length
  scene.chart = chart
  scene.areas = []
  scene.stations = new Uint8Array(count)
  scene.online = new Uint16Array(count)
  scene.npc = new Uint16Array(count)
  scene.battles = new Uint8Array(count)
  scene.heat = new Uint8Array(count)
  scene.traffic = new Uint16Array(chart.lanes.length / 2)
  scene.flights.clear()
}

export function setTerritory(scene: Scene, territory: TerritoryBody): void {
  scene.areas = makeAreas(scene.chart, territory)
}

export function setStations({ chart, stations }: Scene, body: StationsBody): void {
  stations.fill(0)
  for (const { system_id } of body.stations) {
    const system = chart.at.get(system_id)
    if (system !== undefined) stations[system] = 1
  }
}

function setCounts(
  { chart }: Scene,
  counts: Uint16Array | Uint8Array,
  bySystem: Readonly<Record<string, unknown>>,
): void {
  counts.fill(0)
  for (const [id, count] of Object.entries(bySystem)) {
    const system = chart.at.get(id)
    if (system !== undefined) counts[system] = typeof count === 'number' ? count : 1
  }
}

export function setActivity(scene: Scene, body: ActivityBody): void {
  scene.tick = body.current_tick
  setCounts(scene, scene.online, body.online)
  setCounts(scene, scene.npc, body.npc)
  setCounts(scene, scene.battles, body.battles)
  setCounts(scene, scene.heat, body.heat)
  scene.flights.load(scene.chart, body.transits)
  scene.traffic.fill(0)
  const { lanes } = scene.chart
  for (let lane = 0; lane < scene.traffic.length; lane++)
    scene.traffic[lane] = scene.flights.between(lanes[2 * lane], lanes[2 * lane + 1])
}
