/** The layers of the map with their switches, the legend, and the zoom buttons. */
import { LAYERS, type Layer } from '../../canvas/scene.ts'
import { changeQuery, query } from '../../router.ts'

const TITLES: Readonly<Record<Layer, string>> = {
  territory: 'Territory',
  lanes: 'Lanes',
  flights: 'Flights',
  battles: 'Battles',
  heat: 'Heat',
  names: 'Names',
}

/** Returns the layers in the parameter `layers` of the URL; all of them if it is absent. */
export const shownLayers = (): ReadonlySet<string> =>
  new Set(query.value.layers === undefined ? LAYERS : query.value.layers.split(','))

function switchLayer(layer: Layer): void {
  const shown = shownLayers()
  const next = LAYERS.filter((name) => (name === layer ? !shown.has(name) : shown.has(name)))
  const text = next.length === LAYERS.length ? undefined : next.join(',') || 'none'
  changeQuery({ layers: text })
}

export function Layers() {
  const shown = shownLayers()
  return (
    <details class="layers">
      <summary>Layers</summary>
      <fieldset>
        <legend class="hidden">Layers of the map</legend>
        {LAYERS.map((layer) => (
          <label key={layer} class="check">
            <input type="checkbox" checked={shown.has(layer)} onChange={() => switchLayer(layer)} />
            {TITLES[layer]}
          </label>
        ))}
      </fieldset>
      <Legend />
    </details>
  )
}

/** Shows the legend of the marks. */
function Legend() {
  return (
    <ul class="legend">
      <li>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <rect x="5" y="5" width="6" height="6" class="full" />
        </svg>
        station
      </li>
      <li>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="3" class="full" />
        </svg>
        police
      </li>
      <li>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="3" class="ring" />
        </svg>
        lawless
      </li>
      <li>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="2.5" class="ring" />
          <circle cx="8" cy="8" r="6" class="ring strong" />
        </svg>
        stronghold
      </li>
    </ul>
  )
}

interface ZoomProps {
  readonly zoom: (factor: number) => void
  readonly fitAll: () => void
}

export function ZoomButtons({ zoom, fitAll }: ZoomProps) {
  return (
    <div class="zoom">
      <button type="button" class="icon" aria-label="Zoom in" onClick={() => zoom(1.5)}>
        +
      </button>
      <button type="button" class="icon" aria-label="Zoom out" onClick={() => zoom(1 / 1.5)}>
        −
      </button>
      <button type="button" class="icon" aria-label="Show the whole map" onClick={fitAll}>
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4" />
        </svg>
      </button>
    </div>
  )
}
