//! HTML of a report. One file: style and script are inside, nothing is loaded. Every text of the user's is escaped.
//!
//! The page reads without its script; with it, it searches and shows uses. Lines out of sight are not laid out
//! (`content-visibility`), so thousands of them stay quick.

use super::Report;
use super::listing::{self, Fate, Line, MAX_LINES, Part};
use std::fmt::Write;
use wengert_passes::cost_report::CostReport;

/// The whole page.
pub(super) fn write(report: &Report) -> String {
    let mut out = String::new();
    let title = escape(&report.title);
    let count = |lines: &[Line]| lines.iter().filter(|l| l.is_inst).count();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{}</style>\n\
         </head>\n<body>\n<header>\n<h1>{title}</h1>\n<p>{} instructions as written, {} as optimized; float mode {}</p>\n\
         <label>Search <input id=\"q\" type=\"search\" placeholder=\"operation, type, value, file:line, rule\" \
         autofocus></label> <span id=\"found\"></span>\n</header>\n<main>\n",
        include_str!("style.css"),
        count(&report.before),
        count(&report.after),
        report.mode,
    );
    summary(&mut out, report);
    out.push_str("<div class=\"sides\">\n");
    side(&mut out, "b", "As written, calls inlined", &report.before);
    side(&mut out, "a", "As optimized", &report.after);
    out.push_str("</div>\n");
    kernels(&mut out, report);
    let _ = write!(out, "</main>\n<script>\n{}</script>\n</body>\n</html>\n", include_str!("script.js"));
    out
}

/// Text as it stands in HTML, in attributes too.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A number in few characters: `999`, `1.5 k`, `20 M`.
fn brief(n: u64) -> String {
    let (mut value, mut unit) = (n as f64, 0);
    const UNITS: [&str; 7] = ["", " k", " M", " G", " T", " P", " E"];
    while value >= 999.5 {
        value /= 1000.0;
        unit += 1;
    }
    if unit > 0 && value < 9.95 {
        format!("{value:.1}{}", UNITS[unit])
    } else {
        format!("{value:.0}{}", UNITS[unit])
    }
}

/// The cost report and the timings, side by side.
fn summary(out: &mut String, report: &Report) {
    let [before, after] = &report.costs;
    out.push_str(
        "<div class=\"cards\">\n<section><h2>Cost report</h2>\n<table id=\"costs\"><tr><th></th><th>before</th>\
         <th>after</th><th>change</th></tr>\n",
    );
    type Field = fn(&CostReport) -> u64;
    let rows: [(&str, Field); 4] = [
        ("bytes read", |a| a.read),
        ("bytes written", |a| a.written),
        ("arithmetic", |a| a.flops),
        ("cost", |a| a.cost),
    ];
    for (name, field) in rows {
        let (old, new) = (field(before), field(after));
        let change = match old {
            0 => String::new(),
            _ if old == new => "=".into(),
            _ => format!("{:+.1} %", (new as f64 / old as f64 - 1.0) * 100.0),
        };
        let _ = writeln!(
            out,
            "<tr><th>{name}</th><td title=\"{old}\">{}</td><td title=\"{new}\">{}</td><td>{change}</td></tr>",
            brief(old),
            brief(new)
        );
    }
    out.push_str("</table>\n<p class=\"note\">Each instruction on its own, before fusion.");
    if before.at_least || after.at_least {
        out.push_str(" A lower bound: loops of unknown length count as one trip.");
    }
    out.push_str("</p></section>\n<section><h2>Time of compilation</h2>\n");
    timings(out, report);
    out.push_str("</section>\n");
    rules(out, report);
    out.push_str("</div>\n");
}

fn timings(out: &mut String, report: &Report) {
    let micros = |k: usize| report.timings[k].elapsed.as_secs_f64() * 1e6;
    let all = 0..report.timings.len();
    let longest = all.clone().map(micros).fold(1.0, f64::max);
    let sum: f64 = all.clone().map(micros).sum();
    out.push_str("<table id=\"timings\">\n");
    for k in all {
        let (name, time) = (report.timings[k].name, micros(k));
        let _ = writeln!(
            out,
            "<tr><th>{name}</th><td>{:.2} ms</td><td class=\"bar\"><i style=\"width:{:.1}%\"></i></td></tr>",
            time / 1e3,
            time / longest * 100.0
        );
    }
    let _ = writeln!(out, "<tr><th>sum</th><td>{:.2} ms</td><td></td></tr>\n</table>", sum / 1e3);
}

fn side(out: &mut String, id: &str, title: &str, lines: &[Line]) {
    let of = |fate: Fate| lines.iter().filter(|l| l.is_inst && l.fate == fate).count();
    let alone = if id == "b" { "gone" } else { "new" };
    let _ = write!(
        out,
        "<section class=\"side\" id=\"{id}\"><h2>{title}</h2>\n<p class=\"legend\"><b class=\"same\">{} kept</b> \
         <b class=\"rewritten\">{} rewritten</b> <b class=\"alone\">{} {alone}</b>\
         <span class=\"cols\"><span>bytes</span><span>arith.</span></span></p>\n<div class=\"lines\">\n",
        of(Fate::Same),
        of(Fate::Rewritten),
        of(Fate::Alone)
    );
    lines.iter().for_each(|l| self::line(out, l));
    if lines.len() >= MAX_LINES {
        let _ = writeln!(out, "<p class=\"note\">The first {MAX_LINES} lines; the rest is left out.</p>");
    }
    out.push_str("</div></section>\n");
}

fn line(out: &mut String, line: &Line) {
    let fate = match line.fate {
        _ if !line.is_inst => "edge",
        Fate::Same => "same",
        Fate::Rewritten => "rewritten",
        Fate::Alone => "alone",
    };
    let mut find = listing::text(line);
    if let Some(source) = &line.source {
        let _ = write!(find, " {}", source.text);
    }
    if let Some(became) = &line.steps {
        became.steps.iter().for_each(|s| find.extend([" ", &s.rule]));
    }
    let inst = if line.is_inst { " inst" } else { "" };
    let _ = write!(out, "<div class=\"line{inst} {} {fate}\" style=\"--d:{}\"", line.family, line.depth);
    for (name, value) in [("t", line.tag.map(|t| t.to_string())), ("n", line.number.map(|n| n.to_string()))] {
        if let Some(value) = value {
            let _ = write!(out, " data-{name}=\"{value}\"");
        }
    }
    let _ = write!(out, " data-f=\"{}\"><code>", escape(&find.to_lowercase()));
    for part in &line.parts {
        let _ = match part {
            Part::Text(t) => write!(out, "{}", escape(t)),
            Part::Op(t) => write!(out, "<b>{}</b>", escape(t)),
            Part::Value(own, shown) => write!(out, "<a data-v=\"{own}\">{}</a>", escape(shown)),
            Part::Type(t) => write!(out, "<i>{}</i>", escape(t)),
        };
    }
    out.push_str("</code>");
    if let Some(source) = &line.source {
        let text = escape(&source.text);
        let short = escape(source.text.rsplit('/').next().unwrap_or_default());
        let _ = match &source.link {
            Some(link) => {
                write!(out, "<a class=\"src\" href=\"{}\" title=\"{text}\">{short}</a>", escape(link))
            }
            None => write!(out, "<span class=\"src\" title=\"{text}\">{short}</span>"),
        };
    }
    if line.is_inst {
        let CostReport { read, written, flops, cost, .. } = line.costs;
        let _ = write!(
            out,
            "<span class=\"cols\" title=\"reads {read} bytes, writes {written}, arithmetic {flops}, cost {cost}\">\
             <span>{}</span><span>{}</span></span>",
            brief(read.saturating_add(written)),
            brief(flops)
        );
    }
    if let Some(became) = &line.steps {
        let n = became.steps.len();
        let plural = if n == 1 { "" } else { "s" };
        let _ = write!(out, "<details><summary>{n} rewrite{plural}</summary><ol>");
        for step in &became.steps {
            let way = if step.backwards { " (backwards)" } else { "" };
            let _ = write!(
                out,
                "<li><b>{}</b>{way} <code>{} → {}</code></li>",
                escape(&step.rule),
                escape(&step.before),
                escape(&step.after)
            );
        }
        let _ = write!(out, "</ol><code>computed: {}</code></details>", escape(&became.to));
    }
    out.push_str("</div>\n");
}

fn rules(out: &mut String, report: &Report) {
    out.push_str(
        "<section class=\"rules\"><h2>Rules</h2>\n<p class=\"note\">Steps: uses on the way to what is computed. Joins: how often the \
         rule found two expressions equal, chosen or not.</p>\n<table id=\"rules\"><tr><th>rule</th><th>steps</th>\
         <th>joins</th></tr>\n",
    );
    let mut rows: Vec<_> = report.rules.iter().collect();
    rows.sort_by_key(|(_, (steps, joins))| std::cmp::Reverse((*steps, *joins)));
    for (rule, (steps, joins)) in rows {
        let rule = escape(rule);
        let _ = writeln!(
            out,
            "<tr data-f=\"{rule}\"><th><a data-rule=\"{rule}\">{rule}</a></th><td>{steps}</td><td>{joins}</td></tr>"
        );
    }
    out.push_str("</table></section>\n");
}

fn kernels(out: &mut String, report: &Report) {
    out.push_str("<section><h2>Kernels</h2>\n");
    for line in &report.looped {
        let line = escape(line);
        let _ = writeln!(out, "<p class=\"note\">One example of a batch after the other: {line}</p>");
    }
    if let Some(profile) = &report.profile {
        let _ = write!(
            out,
            "<p class=\"note\">By estimate, for one thread; `wengert bench --profile` measures.</p>\n\
             <pre id=\"profile\">{}</pre>\n",
            escape(profile)
        );
    }
    let _ = match &report.kernels {
        Ok((text, kernels, scratch)) => write!(
            out,
            "<details id=\"kernels\"><summary>{kernels} kernel{}, {} bytes of scratch memory</summary><pre>{}</pre>\
             </details>",
            if *kernels == 1 { "" } else { "s" },
            brief(*scratch as u64),
            escape(text)
        ),
        Err(why) => write!(out, "<p class=\"note\">None: {}</p>", escape(why)),
    };
    out.push_str("</section>\n");
}
