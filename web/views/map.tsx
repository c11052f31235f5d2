/** The map of the world, and what happens in it. Source: WEB 4. */

import { signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { MapBody } from '../../core/public/world.ts'
import { fit, lookAt, screenX, screenY, zoomBy, zoomOf } from '../canvas/camera.ts'
import { makeChart, systemTowards } from '../canvas/chart.ts'
import { readPalette } from '../canvas/colour.ts'
import {
  newScene,
  type Scene,
  setActivity,
  setChart,
  setStations,
  setTerritory,
} from '../canvas/scene.ts'
import { isDead, isLive } from '../clock.ts'
import { systemHref } from '../hrefs.ts'
import { type KeyRow, useKeys } from '../keys.ts'
import { announce } from '../parts/announce.ts'
import { NotKept } from '../parts/moment.tsx'
import { Scrubber } from '../parts/scrubber.tsx'
import { FailureBar, Skeleton } from '../parts/state.tsx'
import { changeQuery, go, hrefNow, query } from '../router.ts'
import { useMap, useStations, useWorld } from '../world.ts'
import { chosen, type MapBoard, useBoard } from './map/board.ts'
import { Layers, shownLayers, ZoomButtons } from './map/layers.tsx'
import { MapPanel } from './map/panel.tsx'
import { type CardFacts, SystemFacts } from './map/system-card.tsx'
import { describeMap, MapTable } from './map/table.tsx'

const KEY_ZOOM = 1.5
const FOLLOW_ZOOM = 4
const LABEL_RENEW_MS = 10_000

const isTable = () => query.value.as === 'table'
const toggleTable = () => changeQuery({ as: isTable() ? undefined : 'table' }, 'push')

/** Returns the keys of the map; they act on the scene as it is when they are pressed. */
function keysOf(scene: Scene, { moved }: MapBoard): readonly KeyRow[] {
  const { camera } = scene
  const zoom = (factor: number) => {
    zoomBy(camera, factor, camera.width / 2, camera.height / 2)
    moved()
  }
  const choose = (system: number) => {
    const { id, name } = scene.chart.systems[system]
    chosen.value = id
    announce(name)
    const x = screenX(camera, scene.chart.x[system])
    const y = screenY(camera, scene.chart.y[system])
    if (x > 40 && y > 40 && x < camera.width - 40 && y < camera.height - 40) return
    lookAt(camera, scene.chart.x[system], scene.chart.y[system])
    moved()
  }
  const step = (byX: number, byY: number) => () => {
    if (scene.chart.systems.length === 0) return
    if (scene.selected < 0) return choose(scene.chart.delaunay.find(camera.x, camera.y))
    const next = systemTowards(scene.chart, scene.selected, byX, byY)
    if (next >= 0) choose(next)
  }
  const followHottest = () => {
    let hottest = 0
    const weight = (system: number) =>
      scene.battles[system] * 1e6 + scene.heat[system] * 1e3 + scene.online[system]
    for (let system = 1; system < scene.chart.systems.length; system++)
      if (weight(system) > weight(hottest)) hottest = system
    if (scene.chart.systems.length === 0) return
    lookAt(camera, scene.chart.x[hottest], scene.chart.y[hottest], FOLLOW_ZOOM)
    choose(hottest)
    moved()
  }
  return [
    { key: 'ArrowLeft', about: 'the system to the left', run: step(-1, 0) },
    { key: 'ArrowRight', about: 'the system to the right', run: step(1, 0) },
    { key: 'ArrowUp', about: 'the system above', run: step(0, -1) },
    { key: 'ArrowDown', about: 'the system below', run: step(0, 1) },
    {
      key: 'Enter',
      about: 'open the chosen system',
      run: () => {
        if (chosen.value) go(hrefNow(systemHref(chosen.value)))
      },
    },
    { key: '+', about: 'zoom in', run: () => zoom(KEY_ZOOM) },
    { key: '=', about: '', run: () => zoom(KEY_ZOOM) },
    { key: '-', about: 'zoom out', run: () => zoom(1 / KEY_ZOOM) },
    {
      key: '0',
      about: 'show the whole map',
      run: () => {
        fit(camera)
        moved()
      },
    },
    { key: 'f', about: 'go to where it is hottest', run: followHottest },
    { key: 't', about: 'the same as a table', run: toggleTable },
    {
      key: 'Escape',
      about: '',
      run: () => {
        chosen.value = undefined
      },
    },
  ]
}

/** The scene is kept while other views are shown. */
let scene: Scene | undefined
const sentence = signal('')

/** Returns the scene and the bodies that it draws. */
function useScene() {
  const shown = useMemo(() => {
    scene ??= newScene(readPalette())
    return scene
  }, [])
  const map = useMap()
  const stations = useStations()
  const { activity, activityPath, territory } = useWorld()
  return {
    scene: shown,
    map: map.value,
    stations: stations.value.data,
    activity: activity.value,
    activityPath,
    territory: territory.value.data,
  }
}

type Read = ReturnType<typeof useScene>

const indexed = (map: MapBody | undefined) =>
  new Map((map?.systems ?? []).map((system) => [system.id, system]))

/** Updates the scene and redraws it when a body changes. */
function useDrawing(read: Read, { board }: MapBoard): void {
  const { scene: shown, stations, territory } = read
  const map = read.map.data
  const activity = read.activity.data
  useEffect(() => {
    if (!map) return
    setChart(shown, makeChart(map))
    board.current?.resize()
  }, [map])
  useEffect(() => {
    if (map && territory) setTerritory(shown, territory)
    board.current?.redraw('all')
  }, [map, territory])
  useEffect(() => {
    if (map && stations) setStations(shown, stations)
    board.current?.redraw('marks')
  }, [map, stations])
  useEffect(() => {
    if (map && activity) setActivity(shown, activity)
    shown.selected = shown.chart.at.get(chosen.peek() ?? '') ?? -1
    board.current?.redraw('all')
  }, [map, activity])
  shown.shown = shownLayers()
  useEffect(() => board.current?.redraw('all'), [query.value.layers])
}

interface CanvasesProps {
  readonly board: MapBoard
  readonly scene: Scene
  readonly hovered: number
  readonly cardOf: (id: string) => CardFacts | undefined
}

function Canvases({ board, scene: shown, hovered, cardOf }: CanvasesProps) {
  const pointed = shown.chart.systems[hovered]
  return (
    <div
      ref={board.host}
      class={isDead.value ? 'canvases dead' : 'canvases'}
      role="application"
      aria-roledescription="map"
      aria-label={sentence.value || 'Map'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys select systems
      tabIndex={0}
      hidden={isTable()}
    >
      <canvas />
      <canvas />
      <canvas />
      {pointed && pointed.id !== chosen.value && (
        <Tip scene={shown} system={hovered} card={cardOf(pointed.id)} />
      )}
    </div>
  )
}

function Tools({ scene: { camera }, board }: Pick<CanvasesProps, 'scene' | 'board'>) {
  const zoom = (factor: number) => {
    zoomBy(camera, factor, camera.width / 2, camera.height / 2)
    board.moved()
  }
  const fitAll = () => {
    fit(camera)
    board.moved()
  }
  return (
    <>
      <div class="map-tools">
        {!isTable() && <Layers />}
        <button type="button" onClick={toggleTable}>
          {isTable() ? 'Map' : 'Table'}
        </button>
      </div>
      {!isTable() && <ZoomButtons zoom={zoom} fitAll={fitAll} />}
    </>
  )
}

/** Shows what did not load, if anything. */
function Faults({ read }: { readonly read: Read }) {
  const { map, activity, activityPath } = read
  if (map.failure) return <FailureBar failure={map.failure} path="/api/map" />
  if (!activity.failure) return null
  if (activity.failure.status === 404 && !isLive.value) return <NotKept />
  return <FailureBar failure={activity.failure} path={activityPath} />
}

export function MapView() {
  const read = useScene()
  const hovered = useSignal(-1)
  const map = read.map.data
  const activity = read.activity.data
  const board = useBoard(read.scene, hovered)
  const hasTable = isTable()
  // The keys of the hidden map would take the arrows that scroll the table.
  useKeys(
    useMemo(
      () => keysOf(read.scene, board).filter(({ key }) => !hasTable || key === 't'),
      [read.scene, hasTable],
    ),
  )
  useDrawing(read, board)
  useSentence(map && activity ? describeMap(map, activity) : '')
  const names = useMemo(() => indexed(map), [map])
  const stationed = useMemo(
    () => new Set(read.stations?.stations.map(({ system_id }) => system_id)),
    [read.stations],
  )
  const cardOf = (id = ''): CardFacts | undefined => {
    const system = names.get(id)
    const { territory } = read
    return system && { system, activity, territory, hasStation: stationed.has(id) }
  }
  return (
    <div class="map-view">
      <Faults read={read} />
      <div class={isTable() ? 'map-frame as-table' : 'map-frame'}>
        {isTable() && map && (
          <MapTable
            map={map}
            activity={activity}
            territory={read.territory}
            stationed={stationed}
          />
        )}
        <Canvases board={board} scene={read.scene} hovered={hovered.value} cardOf={cardOf} />
        {!read.map.isSettled && <Skeleton rows={1} />}
        <Tools scene={read.scene} board={board} />
      </div>
      <MapPanel activity={activity} names={names} card={cardOf(chosen.value)} />
      <Scrubber />
    </div>
  )
}

/** Updates the label of the map for screen readers, at most every 10 s. */
function useSentence(text: string): void {
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const update = () => {
      if (text) last.current = performance.now()
      sentence.value = text
    }
    const timer = setTimeout(update, last.current + LABEL_RENEW_MS - performance.now())
    return () => clearTimeout(timer)
  }, [text])
}

interface TipProps {
  readonly scene: Scene
  readonly system: number
  readonly card?: CardFacts
}

/** Shows the system under the pointer, beside it. */
function Tip({ scene, system, card }: TipProps) {
  const { camera, chart } = scene
  const x = screenX(camera, chart.x[system])
  const y = screenY(camera, chart.y[system])
  const style = {
    left: x > camera.width - 280 ? undefined : `${x + 16}px`,
    right: x > camera.width - 280 ? `${camera.width - x + 16}px` : undefined,
    top: `${Math.max(8, Math.min(y - 20, camera.height - 200))}px`,
  }
  return (
    <div class="tip" style={style}>
      <b class="name">{chart.systems[system].name}</b>
      {card && zoomOf(camera) > 0 && <SystemFacts {...card} />}
    </div>
  )
}
