//! The report's pictures: [`draw`] has a row per workload and a dot per implementation, [`lines`] a line per
//! implementation over sizes. Axes are logarithmic.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// The times of one implementation.
pub struct Peer {
    /// For the legend.
    pub name: &'static str,
    /// Microseconds per workload, in the rows' order.
    pub micros: Vec<Option<f64>>,
}

const INK: RGBColor = RGBColor(38, 50, 56);
const FAINT: RGBColor = RGBColor(224, 229, 232);
const COLORS: [RGBColor; 8] = [
    RGBColor(21, 101, 192),
    RGBColor(100, 181, 246),
    RGBColor(144, 164, 174),
    RGBColor(230, 81, 0),
    RGBColor(255, 183, 77),
    RGBColor(188, 170, 164),
    RGBColor(46, 125, 50),
    RGBColor(129, 199, 132),
];
const ROW: i32 = 30;
const TOP: i32 = 64;
const LEFT: i32 = 230;
const RIGHT: i32 = 48;
const WIDTH: i32 = 1000;

/// Writes the picture as SVG.
pub fn draw(path: &Path, workloads: &[String], peers: &[Peer]) -> Result<(), Box<dyn Error>> {
    let height = TOP + ROW * workloads.len() as i32 + 48;
    let root = SVGBackend::new(path, (WIDTH as u32, height as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    let known = || peers.iter().flat_map(|p| p.micros.iter().flatten().copied()).filter(|t| *t > 0.0);
    let decade = |t: f64| t.log10();
    let least = known().map(decade).fold(f64::INFINITY, f64::min).min(5.0).floor() as i32;
    let most = (known().map(decade).fold(f64::NEG_INFINITY, f64::max).ceil() as i32).max(least + 1);
    let x = |t: f64| {
        let part = (decade(t) - least as f64) / (most - least) as f64;
        LEFT + (part * (WIDTH - LEFT - RIGHT) as f64) as i32
    };
    let y = |row: usize| TOP + ROW * row as i32 + ROW / 2;
    let bottom = TOP + ROW * workloads.len() as i32;

    for d in least..=most {
        let at = x(10f64.powi(d));
        root.draw(&PathElement::new([(at, TOP), (at, bottom)], FAINT.stroke_width(1)))?;
        text(&root, &unit(d), (at - 14, bottom + 8), 13)?;
    }
    for (row, name) in workloads.iter().enumerate() {
        text(&root, name, (20, y(row) - 7), 14)?;
        let times = || peers.iter().filter_map(|p| p.micros[row]);
        let (from, to) = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
        if from <= to {
            root.draw(&PathElement::new([(x(from), y(row)), (x(to), y(row))], FAINT.stroke_width(3)))?;
        }
        // The first peer is drawn last, over the others.
        for (peer, color) in peers.iter().zip(COLORS).rev() {
            if let Some(t) = peer.micros[row] {
                root.draw(&Circle::new((x(t), y(row)), 6, color.filled()))?;
            }
        }
    }
    let mut at = LEFT;
    for (peer, color) in peers.iter().zip(COLORS) {
        root.draw(&Circle::new((at, 32), 6, color.filled()))?;
        text(&root, peer.name, (at + 12, 25), 14)?;
        at += 30 + 6 * peer.name.len() as i32;
    }
    root.present()?;
    Ok(())
}

/// A line of [`lines`]: its name, and its points.
pub struct Line {
    /// For the legend.
    pub name: String,
    /// Size, and the value there.
    pub points: Vec<(f64, f64)>,
}

/// Writes lines over sizes as SVG, both axes logarithmic; nothing if there are no points. Axes are named after what they
/// show.
pub fn lines(path: &Path, title: &str, axes: (&str, &str), lines: &[Line]) -> Result<(), Box<dyn Error>> {
    if lines.iter().all(|l| l.points.is_empty()) {
        return Ok(());
    }
    let root = SVGBackend::new(path, (WIDTH as u32, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let all = || lines.iter().flat_map(|l| l.points.iter().copied());
    let span = |values: &dyn Fn() -> Vec<f64>| {
        let (least, most) =
            values().into_iter().fold((f64::INFINITY, 0f64), |(a, b), v| (a.min(v), b.max(v)));
        least / 1.3..most * 1.3
    };
    let (x, y) = (span(&|| all().map(|p| p.0).collect()), span(&|| all().map(|p| p.1).collect()));
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 18).into_font().color(&INK))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(x.log_scale(), y.log_scale())?;
    let number = |v: &f64| if (0.01..1e5).contains(v) { format!("{v}") } else { format!("{v:e}") };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .x_desc(axes.0)
        .y_desc(axes.1)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .draw()?;
    for (line, color) in lines.iter().zip(COLORS) {
        let drawn = chart.draw_series(LineSeries::new(line.points.iter().copied(), color.stroke_width(2)))?;
        drawn.label(&line.name).legend(move |(x, y)| Circle::new((x + 8, y), 5, color.filled()));
        chart.draw_series(line.points.iter().map(|&p| Circle::new(p, 4, color.filled())))?;
    }
    chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).border_style(FAINT).draw()?;
    root.present()?;
    Ok(())
}

fn text(
    root: &DrawingArea<SVGBackend, Shift>,
    s: &str,
    at: (i32, i32),
    size: u32,
) -> Result<(), Box<dyn Error>> {
    root.draw(&Text::new(s.to_owned(), at, ("sans-serif", size).into_font().color(&INK)))?;
    Ok(())
}

/// 10^d microseconds.
fn unit(d: i32) -> String {
    let (value, unit) = match d {
        ..0 => (d + 3, "ns"),
        0..3 => (d, "µs"),
        3..6 => (d - 3, "ms"),
        _ => (d - 6, "s"),
    };
    format!("{} {unit}", 10f64.powi(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_drawn_where_there_are_points() {
        let path = std::env::temp_dir().join(format!("wengert-lines-{}.svg", std::process::id()));
        let line = Line { name: "ours".into(), points: vec![(16.0, 0.5), (65536.0, 2.0)] };
        lines(&path, "A title", ("size", "time"), &[line]).unwrap();
        let drawn = std::fs::read_to_string(&path).unwrap();
        assert!(drawn.contains("<svg") && drawn.contains("A title") && drawn.contains("ours"));
        std::fs::remove_file(&path).unwrap();
        lines(&path, "Nothing", ("size", "time"), &[]).unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn decades_have_units() {
        let units: Vec<String> = [-2, 0, 4, 7].map(unit).into();
        assert_eq!(units, ["10 ns", "1 µs", "10 ms", "10 s"]);
    }
}
